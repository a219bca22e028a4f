// Marks that are not recorded yet survive a reload, a lost connection and a new sign-in in this tab.

import { shared } from "./shared.js";

function place(box) {
  return `otbor:${shared.event}:${shared.account}:${box}`;
}

const PAUSE_MS = 250;
let waiting = null;
let timer = 0;

/**
 * Keep the marks of a wall; `confirmed` once they are recorded (undo brings them back by it).
 *
 * They are written when the juror pauses, or leaves: a wall of 500 takes a while to write.
 */
export function keep(wall, marks, { cursor = "", confirmed = false } = {}) {
  if (waiting && waiting.wall.box !== wall.box) write();
  waiting = { wall, marks, cursor, confirmed };
  clearTimeout(timer);
  timer = setTimeout(write, PAUSE_MS);
}

function write() {
  clearTimeout(timer);
  if (!waiting) return;
  const { wall, marks, cursor, confirmed } = waiting;
  waiting = null;
  const draft = { fingerprint: wall.fingerprint, cursor, confirmed, saved: marks.save() };
  try {
    sessionStorage.setItem(place(wall.box), JSON.stringify(draft));
  } catch {
    // A full or forbidden store: the marks still live in the page.
  }
}

window.addEventListener("pagehide", write);
document.addEventListener("visibilitychange", () => document.hidden && write());

/** What was kept of a wall, null if nothing or if it cannot be read. */
export function kept(box) {
  write();
  try {
    return JSON.parse(sessionStorage.getItem(place(box)));
  } catch {
    return null;
  }
}
