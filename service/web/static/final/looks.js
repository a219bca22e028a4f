// Which stakes were before the juror's eyes for long enough. The server keeps who saw what.

import { post } from "../server.js";
import { find, shared } from "../wall/shared.js";

const LOOK_EVERY_MS = 100;
const PART = 0.6;
// So many looks a press of a button waits for a picture to be seen.
const PATIENCE = 15;

export class Looks {
  /** @param {() => void} tell Called when more has been seen. */
  constructor(list, tell) {
    this.list = list;
    this.tell = tell;
    this.seen = new Set();
    this.unsent = new Set();
    /** Picture in view → since when, ms. */
    this.since = new Map();
    this.observer = null;
    setInterval(() => this.look(), LOOK_EVERY_MS);
    setInterval(() => this.send().catch(() => {}), 1500);
  }

  /** Watch the pictures that are shown now. */
  watch(lines) {
    for (const line of lines) if (line.seen) this.seen.add(line.page);
    this.observer?.disconnect();
    this.since.clear();
    const rootMargin = `0px 0px -${find(".bar").offsetHeight}px 0px`;
    this.observer = new IntersectionObserver((changes) => this.note(changes), {
      rootMargin,
      threshold: PART,
    });
    for (const picture of this.list.querySelectorAll("img")) {
      if (!this.saw(Number(picture.dataset.page))) this.observer.observe(picture);
    }
  }

  note(changes) {
    for (const { target, isIntersecting } of changes) {
      if (isIntersecting) this.since.set(target, performance.now());
      else this.since.delete(target);
    }
  }

  look() {
    const now = performance.now();
    let more = false;
    for (const [picture, since] of this.since) {
      // A picture that has not come yet shows nothing.
      if (document.hidden || !picture.complete || picture.naturalWidth === 0) {
        this.since.set(picture, now);
      } else if (now - since >= shared.glance) {
        const page = Number(picture.dataset.page);
        this.since.delete(picture);
        this.observer.unobserve(picture);
        this.seen.add(page);
        this.unsent.add(page);
        more = true;
      }
    }
    if (more) this.tell();
  }

  saw(page) {
    return this.seen.has(page);
  }

  /** Wait a moment for a picture that is in view. */
  async until(page) {
    for (let looks = 0; looks < PATIENCE && !this.saw(page); looks += 1) {
      await new Promise((done) => setTimeout(done, LOOK_EVERY_MS));
    }
  }

  /** Tell the server; what it does not hear of now is told again later. */
  async send() {
    const pages = [...this.unsent];
    if (pages.length === 0) return;
    await post("/api/final/seen", { pages });
    for (const page of pages) this.unsent.delete(page);
  }
}
