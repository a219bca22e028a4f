// Which pictures somebody has had before the eyes for long enough, and telling the server of them. The
// server keeps who saw what, and refuses a ruling on what was not seen.

import { post } from "./server.js";
import { shared } from "./wall/shared.js";

export const LOOK_EVERY_MS = 100;
const SEND_EVERY_MS = 1500;
// So much of a picture must be in view.
const PART = 0.6;

export class InView {
  /** @param {(pictures: HTMLImageElement[]) => void} tell Called with those that were in view long enough. */
  constructor(tell) {
    this.tell = tell;
    /** Picture in view → since when, ms. */
    this.since = new Map();
    /** Address → pages that the server has not heard of yet. */
    this.unsent = new Map();
    this.sending = Promise.resolve();
    this.begin();
    setInterval(() => this.look(), LOOK_EVERY_MS);
    setInterval(() => this.send().catch(() => {}), SEND_EVERY_MS);
    window.addEventListener("pagehide", () => this.send().catch(() => {}));
  }

  /**
   * Watch nothing yet.
   * @param {string} rootMargin What covers the edges of the window, as for an IntersectionObserver.
   */
  begin(rootMargin = "0px") {
    this.observer?.disconnect();
    this.since.clear();
    this.observer = new IntersectionObserver((changes) => this.note(changes), {
      rootMargin,
      threshold: PART,
    });
  }

  /** @param {HTMLImageElement} picture */
  watch(picture) {
    this.observer.observe(picture);
  }

  forget(picture) {
    this.observer.unobserve(picture);
    this.since.delete(picture);
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

  look() {
    if (this.since.size === 0) return;
    const now = performance.now();
    const dialog = document.querySelector("dialog[open]");
    const seen = [];
    for (const [picture, since] of this.since) {
      const covered = dialog !== null && !dialog.contains(picture);
      // A picture that has not come yet shows nothing.
      if (document.hidden || covered || !picture.complete || picture.naturalWidth === 0) {
        this.since.set(picture, now);
      } else if (now - since >= shared.glance) {
        this.forget(picture);
        seen.push(picture);
      }
    }
    if (seen.length) this.tell(seen);
  }

  /** The pages that an address is still to be told of. */
  waiting(path) {
    if (!this.unsent.has(path)) this.unsent.set(path, new Set());
    return this.unsent.get(path);
  }

  /** Tell the server; what it does not hear of now is told again later. */
  send() {
    this.sending = this.sending.catch(() => {}).then(() => this.sendNow());
    return this.sending;
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
