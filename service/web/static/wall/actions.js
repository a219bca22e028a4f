// What keys and buttons do, by the names of `keys.py`. `page` is the controller in `main.js`.

import { notify } from "./notices.js";
import { say } from "./shared.js";

export const ACTIONS = {
  flip: (page) => page.onCursor((sheet) => page.marks.flip(sheet)),
  mark_right: (page) => page.onCursor((sheet) => page.marks.set(sheet, "right")),
  mark_wrong: (page) => page.onCursor((sheet) => page.marks.set(sheet, "wrong")),
  mark_disputed: (page) => page.onCursor((sheet) => page.marks.set(sheet, "disputed")),
  remark: (page) => page.askRemark(),
  to_key: (page) => page.toKey(),
  mark_blank: (page) => page.onCursor((sheet) => page.marks.set(sheet, "blank")),
  mark_same: (page) => page.markSame(),
  boundary_after: (page) => page.boundaryAtCursor(1),
  boundary_before: (page) => page.boundaryAtCursor(0),
  go_to_boundary: (page) => page.goToBoundary(),
  go_left: (page) => page.step(-1),
  go_right: (page) => page.step(1),
  go_up: (page) => page.stepRow(-1),
  go_down: (page) => page.stepRow(1),
  go_first: (page) => page.goTo(0),
  go_last: (page) => page.goTo(page.view.items.length - 1),
  go_unseen: (page) => page.goToUnseen() || notify(say("all_seen")),
  enlarge: (page) => page.enlarge(),
  around: (page) => page.showAround(),
  larger: (page) => page.resize(1),
  smaller: (page) => page.resize(-1),
  confirm: (page, event) => page.recorder.confirm(event),
  undo: (page, event) => page.recorder.undo(event),
  next_question: (page) => page.recorder.nextQuestion(),
  show_keys: (page) => page.showKeys(),
  close: (page) => page.close(),
};

/** Actions that a key held down may repeat. */
export const REPEATABLE = new Set([
  "go_left",
  "go_right",
  "go_up",
  "go_down",
  "boundary_after",
  "boundary_before",
]);

/** Actions that are not for those who only look. */
export const RULING = new Set([
  "flip",
  "mark_right",
  "mark_wrong",
  "mark_disputed",
  "remark",
  "mark_blank",
  "mark_same",
  "boundary_after",
  "boundary_before",
  "confirm",
]);
