// Counts as they change, while the page is in sight. Without a connection the page stays as it is, and says so.

import { look } from "./connection.js";
import { follow } from "./server.js";

/**
 * Listen for progress.
 * @param {(counts: object) => void} tell Gets what `/api/progress` gives.
 */
export function listen(tell) {
  let source = null;
  // Where two jurors read an answer everybody has counts of their own.
  const hear = async (counts) => {
    if (!counts.personal) return tell(counts);
    const own = await follow("/api/progress").catch(() => null);
    return own && tell(own);
  };
  const open = () => {
    if (source || document.hidden) return;
    source = new EventSource("/api/events");
    source.addEventListener("progress", (event) => hear(JSON.parse(event.data)));
    source.addEventListener("signed-out", () => {
      close();
      look();
    });
    source.addEventListener("error", look);
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
