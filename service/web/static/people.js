// Who is here: the list is brought up to date while the page is in sight.

import { listen } from "./live.js";

// Presence by itself changes without a count changing.
const EVERY_MS = 20000;

const list = document.getElementById("people");
let asking = false;

async function refresh() {
  // A list that changes under the finger or the focus leads to the wrong person.
  if (asking || document.hidden || list.matches(":focus-within")) return;
  asking = true;
  try {
    const reply = await fetch(list.dataset.address, { headers: { "X-Otbor-Unattended": "1" } });
    // Signed out: the answer is the page of signing in.
    if (reply.ok && !reply.redirected) list.innerHTML = await reply.text();
  } catch {
    // Without a connection the page stays as it is.
  } finally {
    asking = false;
  }
}

setInterval(refresh, EVERY_MS);
document.addEventListener("visibilitychange", refresh);
listen(refresh);
