// Which pictures the juror has had before the eyes for long enough. The server keeps who saw what.

import { post } from "../server.js";
import { find, shared } from "./shared.js";

const LOOK_EVERY_MS = 100;
const SEND_EVERY_MS = 1500;
// So much of a picture must be in view.
const PART = 0.6;

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
    /** Address of a wall → pages that the server has not heard of yet. */
    this.unsent = new Map();
    /** Picture in view → since when, ms. */
    this.since = new Map();
    this.observer = null;
    this.sending = Promise.resolve();
    setInterval(() => this.look(), LOOK_EVERY_MS);
    setInterval(() => this.send().catch(() => {}), SEND_EVERY_MS);
    window.addEventListener("pagehide", () => this.send().catch(() => {}));
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
    for (const page of this.waiting()) this.seen.add(page);
    this.observe();
  }

  observe() {
    this.observer?.disconnect();
    this.since.clear();
    if (!this.wall) return;
    const key = find("#key");
    const sticky = getComputedStyle(key).position === "sticky";
    const top = sticky ? key.offsetHeight : 0;
    const rootMargin = `-${top}px 0px -${find(".bar").offsetHeight}px 0px`;
    this.observer = new IntersectionObserver((changes) => this.note(changes), {
      rootMargin,
      threshold: PART,
    });
    for (const tile of this.view.items) {
      const saw = this.saw(tile.dataset.sheet);
      tile.classList.toggle("seen", saw);
      if (!saw) this.observer.observe(tile.querySelector("img"));
    }
  }

  note(changes) {
    for (const { target, isIntersecting, intersectionRatio } of changes) {
      if (isIntersecting && intersectionRatio >= PART - 0.05) {
        this.since.set(target, performance.now());
      } else {
        this.since.delete(target);
      }
    }
  }

  /** True if the answer on a sheet was in view for long enough, now or before. */
  saw(sheet) {
    return this.seen.has(this.pages?.get(sheet));
  }

  look() {
    if (this.since.size === 0) return;
    const now = performance.now();
    const away = document.hidden || document.querySelector("dialog[open]") !== null;
    let more = false;
    for (const [picture, since] of this.since) {
      // A picture that has not come yet shows nothing.
      if (away || !picture.complete || picture.naturalWidth === 0) {
        this.since.set(picture, now);
      } else if (now - since >= shared.glance) {
        const tile = picture.closest("li[data-sheet]");
        tile.classList.add("seen");
        const page = this.pages.get(tile.dataset.sheet);
        this.since.delete(picture);
        this.observer.unobserve(picture);
        this.seen.add(page);
        this.waiting().add(page);
        more = true;
      }
    }
    if (more) this.tell();
  }

  /** Tell the server; what it does not hear of now is told again later. */
  send() {
    this.sending = this.sending.catch(() => {}).then(() => this.sendNow());
    return this.sending;
  }

  /** What is still to be told of this wall. */
  waiting() {
    if (!this.unsent.has(this.path)) this.unsent.set(this.path, new Set());
    return this.unsent.get(this.path);
  }

  async sendNow() {
    for (const [path, waiting] of this.unsent) {
      const pages = [...waiting];
      if (pages.length === 0) continue;
      await post(path, { pages });
      for (const page of pages) waiting.delete(page);
    }
  }
}
