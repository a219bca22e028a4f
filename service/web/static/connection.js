// Whether the server can be reached and the session still holds. Whoever works on is told at once, not only
// when something has to be recorded.

import { UNATTENDED } from "./server.js";

const EVERY_MS = 15000;
const EVERY_MS_LOST = 2500;
const PATIENCE_MS = 6000;
const SAY_BACK_MS = 4000;

const box = document.getElementById("connection");
const hearers = [];
let timer = 0;
let asking = false;
let state = "here";

/** @param {(waiting: Record<string, number>) => void} hear Told what waits for this person, again and again. */
export function onWaiting(hear) {
  hearers.push(hear);
}

/** Ask now: something went wrong that a lost connection, or a session that has ended, would explain. */
export async function look() {
  if (document.hidden || asking || state === "ended") return;
  asking = true;
  clearTimeout(timer);
  try {
    const response = await fetch("/api/waiting", {
      headers: { Accept: "application/json", ...UNATTENDED },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (response.status === 401) say("ended");
    else {
      if (response.ok) for (const hear of hearers) hear(await response.clone().json());
      say("here");
    }
  } catch {
    say("lost");
  }
  asking = false;
  if (state !== "ended") timer = setTimeout(look, state === "lost" ? EVERY_MS_LOST : EVERY_MS);
}

function say(next) {
  const before = state;
  state = next;
  if (!box || next === before) return;
  // Where there is a bar below it makes room, so that nothing is covered.
  const home = document.querySelector(".bar") ?? document.body;
  if (box.parentElement !== home) home.prepend(box);
  box.dataset.state = next;
  box.replaceChildren(box.dataset[next]);
  if (next === "ended") {
    const back = encodeURIComponent(location.pathname + location.search);
    const link = Object.assign(document.createElement("a"), { href: `/sign-in?next=${back}`, className: "button" });
    link.textContent = box.dataset.signIn;
    box.append(" ", link);
  }
  box.hidden = false;
  if (next === "here") setTimeout(() => (box.hidden = state === "here"), SAY_BACK_MS);
  document.dispatchEvent(new CustomEvent("otbor:connection", { detail: next }));
}

window.addEventListener("offline", () => say("lost"));
window.addEventListener("online", look);
document.addEventListener("otbor:away", look);
document.addEventListener("visibilitychange", look);
look();
