// Which answers of a wall the juror has seen.

import { InView } from "../in_view.js";
import { find } from "./shared.js";

export class Sightings {
  /**
   * @param view The tiles.
   * @param {() => void} tell Called when more has been seen.
   */
  constructor(view, tell) {
    this.view = view;
    this.tell = tell;
    this.wall = null;
    this.seen = new Set();
    this.pictures = new InView((pictures) => this.note(pictures));
    // The key above and the bar below cover what lies under them, and change their heights.
    const covers = new ResizeObserver(() => this.observe());
    covers.observe(find("#key"));
    covers.observe(find(".bar"));
  }

  /** Watch the tiles of a wall; what was seen of it before comes with it. */
  watch(wall) {
    const entries = [...wall.written, ...wall.blanks];
    this.wall = wall;
    this.pages = new Map(entries.map((entry) => [entry.sheet, entry.page]));
    this.seen = new Set(entries.filter((entry) => entry.seen).map((entry) => entry.page));
    this.path = `/api/wall/${wall.theme}/${wall.nominal}/seen`;
    for (const page of this.pictures.waiting(this.path)) this.seen.add(page);
    this.observe();
  }

  observe() {
    const key = find("#key");
    const sticky = getComputedStyle(key).position === "sticky";
    const top = sticky ? key.offsetHeight : 0;
    this.pictures.begin(`-${top}px 0px -${find(".bar").offsetHeight}px 0px`);
    if (!this.wall) return;
    for (const tile of this.view.items) {
      const saw = this.saw(tile.dataset.sheet);
      tile.classList.toggle("seen", saw);
      if (!saw) this.pictures.watch(tile.querySelector("img"));
    }
  }

  /** True if the answer on a sheet was in view for long enough, now or before. */
  saw(sheet) {
    return this.seen.has(this.pages?.get(sheet));
  }

  note(pictures) {
    for (const picture of pictures) {
      const tile = picture.closest("li[data-sheet]");
      tile.classList.add("seen");
      const page = this.pages.get(tile.dataset.sheet);
      this.seen.add(page);
      this.pictures.waiting(this.path).add(page);
    }
    this.tell();
  }

  /** Tell the server; what it does not hear of now is told again later. */
  send() {
    return this.pictures.send();
  }
}
