// A form is sent once: the second press of a quick hand would get an answer to what is done already.

const AGAIN_MS = 3000;
const sent = new WeakMap();

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post") return;
  const now = performance.now();
  if (now - (sent.get(form) ?? -AGAIN_MS) < AGAIN_MS) event.preventDefault();
  else sent.set(form, now);
});

// A page that comes back from the browser's memory may be sent again.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) for (const form of document.forms) sent.delete(form);
});
