// Counts as they change, while the page is in sight. Without a connection the page stays as it is.

/**
 * Listen for progress.
 * @param {(counts: object) => void} tell Gets what `/api/progress` gives.
 */
export function listen(tell) {
  let source = null;
  const open = () => {
    if (source || document.hidden) return;
    source = new EventSource("/api/events");
    source.addEventListener("progress", (event) => tell(JSON.parse(event.data)));
    source.addEventListener("signed-out", close);
  };
  // Browsers keep six connections a server: pages out of sight must not hold any.
  const close = () => {
    source?.close();
    source = null;
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", open);
  open();
}
