// Marks that are not recorded yet survive a reload, a lost connection and a new sign-in in this tab.

import { shared } from "./shared.js";

function place(box) {
  return `otbor:${shared.event}:${shared.account}:${box}`;
}

/** Keep the marks of a wall; `confirmed` once they are recorded (undo brings them back by it). */
export function keep(wall, marks, { cursor = "", confirmed = false } = {}) {
  const draft = { fingerprint: wall.fingerprint, cursor, confirmed, saved: marks.save() };
  try {
    sessionStorage.setItem(place(wall.box), JSON.stringify(draft));
  } catch {
    // A full or forbidden store: the marks still live in the page.
  }
}

/** What was kept of a wall, null if nothing or if it cannot be read. */
export function kept(box) {
  try {
    return JSON.parse(sessionStorage.getItem(place(box)));
  } catch {
    return null;
  }
}
