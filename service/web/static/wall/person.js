// What the juror does with keyboard, mouse and finger, handed on as actions.

import { ACTIONS, REPEATABLE, RULING } from "./actions.js";
import { draggable } from "./drag.js";
import { keyName } from "./keyboard.js";
import { find, placeOf, shared } from "./shared.js";

export class Person {
  /** @param page The controller in `main.js`. */
  constructor(page) {
    this.page = page;
    this.actionByKey = new Map(
      shared.keys.flatMap((group) =>
        group.bindings.flatMap(({ action, keys }) => keys.map((key) => [key, action])),
      ),
    );
  }

  /** False before the first wall is there, and while the server is being asked. */
  get mayAct() {
    return this.page.marks !== null && !this.page.recorder.busy;
  }

  act(action, event) {
    if (!this.mayAct) return;
    if (RULING.has(action) && !this.page.claim.mine) this.page.sayClaim();
    else ACTIONS[action](this.page, event);
  }

  /** Start listening; called once. */
  listen() {
    document.addEventListener("keydown", (event) => this.onKey(event));
    // A space let go would press the focused button.
    document.addEventListener("keyup", (event) => {
      if (event.key === " " && this.isOurs(event)) event.preventDefault();
    });
    for (const button of document.querySelectorAll("button[data-action]")) {
      button.addEventListener("click", (event) => {
        this.act(button.dataset.action, event);
        // The keyboard stays with the answers.
        if (!find("dialog[open]")) this.page.view.focus();
      });
    }
    find("#answers").addEventListener("click", (event) => this.onTile(event));
    for (const id of ["previous", "following"]) {
      find(`#${id}`).addEventListener("click", (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        const place = placeOf(new URL(event.currentTarget.href));
        if (this.mayAct) this.page.recorder.open(place, { push: true });
      });
    }
    window.addEventListener("popstate", () => this.page.recorder.goBack());
    draggable(find("#written"), (boundary) => {
      if (!this.mayAct) return;
      if (!this.page.claim.mine) {
        this.page.sayClaim();
        return;
      }
      this.page.marks.moveBoundary(boundary);
      this.page.afterChange();
    });
    const measure = new ResizeObserver(() => {
      const { style } = document.documentElement;
      style.setProperty("--key-height", `${find("#key").offsetHeight}px`);
      style.setProperty("--bar-height", `${find(".bar").offsetHeight}px`);
    });
    measure.observe(find("#key"));
    measure.observe(find(".bar"));
  }

  /** True for a key press that is meant for the wall rather than for a button or a dialog. */
  isOurs(event) {
    if (find("dialog[open]")) return false;
    const { target } = event;
    if (target.closest("input, textarea, select")) return false;
    const presses = event.key === "Enter" || event.key === " ";
    return !(presses && target.closest("a, button") && !target.closest("#answers, #confirm"));
  }

  onKey(event) {
    if (!this.isOurs(event)) return;
    const action = this.actionByKey.get(keyName(event));
    if (!action) return;
    event.preventDefault();
    if (event.repeat && !REPEATABLE.has(action) && action !== "undo") return;
    this.act(action, event);
  }

  onTile(event) {
    const { page } = this;
    const tile = event.target.closest("li[data-sheet]");
    if (!tile || !this.mayAct) return;
    const index = page.view.items.indexOf(tile);
    const again = index === page.view.cursor;
    const blank = tile.classList.contains("blank-box");
    page.view.choose(index, { scroll: false });
    const note = event.target.closest(".note");
    const marks = event.target.closest(".sign") || note || blank;
    const quick = event.shiftKey || event.ctrlKey || event.metaKey;
    if ((marks || quick) && !page.claim.mine) page.sayClaim();
    // The commonest two changes in one click each.
    else if (event.shiftKey && !blank) this.act("mark_blank", event);
    else if (quick && page.marks.isWritten(tile.dataset.sheet)) this.act("boundary_after", event);
    else if (note) page.askRemark();
    else if (event.target.closest(".sign")) page.onCursor((sheet) => page.marks.flip(sheet));
    else if (blank) page.onCursor((sheet) => page.marks.turn(sheet));
    else if (again) page.enlarge();
    else page.lens.keepOn(tile);
  }
}
