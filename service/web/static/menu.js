// The menu says how much waits, and follows it while the page is in sight. "More" closes as people expect.

const EVERY_MS = 15000;
const marks = [...document.querySelectorAll("[data-waiting]")];

async function look() {
  if (document.hidden) return;
  const response = await fetch("/api/waiting", { headers: { Accept: "application/json" } }).catch(() => null);
  // Without a connection, or signed out, the page itself says so.
  if (!response?.ok) return;
  const waiting = await response.json();
  for (const mark of marks) {
    // The closed "More" counts what waits at all the parts inside it.
    const n = mark.dataset.waiting.split(" ").reduce((sum, name) => sum + (waiting[name] ?? 0), 0);
    mark.textContent = n;
    mark.hidden = n === 0;
  }
}

if (marks.length) {
  look();
  setInterval(look, EVERY_MS);
  document.addEventListener("visibilitychange", look);
}

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
