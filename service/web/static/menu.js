// The menu says how much waits, and follows it while the page is in sight.

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
