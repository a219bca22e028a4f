// The menu says how much waits, and follows it while the page is in sight. "More" closes as people expect.

import { onWaiting } from "./connection.js";

const marks = [...document.querySelectorAll("[data-waiting]")];

onWaiting((waiting) => {
  for (const mark of marks) {
    // The closed "More" counts what waits at all the parts inside it.
    const n = mark.dataset.waiting.split(" ").reduce((sum, name) => sum + (waiting[name] ?? 0), 0);
    mark.textContent = n;
    mark.hidden = n === 0;
  }
});

const more = document.querySelector("details.more");
if (more) {
  document.addEventListener("click", (event) => {
    if (!more.contains(event.target)) more.open = false;
  });
  more.addEventListener("focusout", (event) => {
    // Null: the window lost the focus, or something that takes none was pressed; the click says which.
    if (event.relatedTarget && !more.contains(event.relatedTarget)) more.open = false;
  });
  more.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !more.open) return;
    event.stopPropagation();
    more.open = false;
    more.querySelector("summary").focus();
  });
}
