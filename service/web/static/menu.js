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
    const n = waiting[mark.dataset.waiting] ?? 0;
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
  more.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !more.open) return;
    event.stopPropagation();
    more.open = false;
    more.querySelector("summary").focus();
  });
}
