// One appeal: the effect follows what is marked, and a decision waits until the server knows what was seen.

import { Glances } from "../glances.js";

const choice = document.getElementById("choice");
const decide = document.getElementById("decide");

if (choice && decide) start();

function start() {
  const [, theme, nominal] = place();
  const glances = new Glances();
  for (const shown of document.querySelectorAll("[data-seen]")) {
    const page = Number(shown.dataset.seen);
    glances.watch(shown.querySelector("img"), { theme, nominal }, { page, seen: false });
  }
  for (const box of choice.querySelectorAll("input[type=checkbox]")) {
    box.addEventListener("change", () => show());
  }
  document.getElementById("form").addEventListener("change", () => show());
  decide.addEventListener("submit", async (event) => {
    if (decide.dataset.told) return;
    event.preventDefault();
    // The server refuses verdicts on answers that it does not know to be seen.
    await glances.send().catch(() => {});
    decide.dataset.told = "yes";
    decide.requestSubmit(event.submitter);
  });
}

/** Theme and nominal of the question. */
function place() {
  return /(\d+)–(\d+)/.exec(document.querySelector("h1").textContent).map(Number);
}

/** Ask for the page with the effect of what is marked now; the reason that was typed comes along. */
async function show() {
  const query = new URLSearchParams(new FormData(choice));
  const why = document.getElementById("why").value;
  for (const button of decide.querySelectorAll("button")) button.disabled = true;
  const response = await fetch(`${choice.getAttribute("action")}?${query}`).catch(() => null);
  if (!response?.ok) {
    choice.requestSubmit();
    return;
  }
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page.getElementById("decide");
  if (!fresh) {
    location.reload();
    return;
  }
  decide.replaceChildren(...fresh.childNodes);
  document.getElementById("why").value = why;
  history.replaceState(null, "", `?${query}`);
}
