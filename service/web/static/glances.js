// Which pictures a person has had before the eyes for long enough, on pages other than the wall.
// The server keeps who saw what, and refuses a ruling on what was not seen.

import { post } from "./server.js";
import { shared } from "./wall/shared.js";

const LOOK_EVERY_MS = 100;
const SEND_EVERY_MS = 1500;
// So much of a picture must be in view.
const PART = 0.6;

export class Glances {
  /** @param {() => void} tell Called when more has been seen. */
  constructor(tell = () => {}) {
    this.tell = tell;
    /** Picture → what it shows. */
    this.known = new Map();
    this.seen = new Set();
    this.unsent = new Map();
    this.since = new Map();
    this.sending = Promise.resolve();
    this.observer = new IntersectionObserver((changes) => this.note(changes), { threshold: PART });
    setInterval(() => this.look(), LOOK_EVERY_MS);
    setInterval(() => this.send().catch(() => {}), SEND_EVERY_MS);
    window.addEventListener("pagehide", () => this.send().catch(() => {}));
  }

  /**
   * Watch a picture.
   * @param {HTMLImageElement} picture
   * @param {{theme: number, nominal: number}} place The question.
   * @param {{page: number, seen: boolean}} answer
   */
  watch(picture, place, answer) {
    const id = `${place.theme}/${place.nominal}/${answer.page}`;
    if (answer.seen) this.seen.add(id);
    this.known.set(picture, { id, path: `/api/wall/${place.theme}/${place.nominal}/seen`, page: answer.page });
    if (this.seen.has(id)) picture.closest("li")?.classList.add("seen");
    else this.observer.observe(picture);
  }

  /** Pictures that have left the page are forgotten; what was seen stays known. */
  tidy() {
    for (const picture of this.known.keys()) {
      if (picture.isConnected) continue;
      this.observer.unobserve(picture);
      this.known.delete(picture);
      this.since.delete(picture);
    }
  }

  /** True if the answer was in view for long enough, now or before. */
  saw({ theme, nominal }, { page }) {
    return this.seen.has(`${theme}/${nominal}/${page}`);
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
    let more = false;
    for (const [picture, since] of this.since) {
      const covered = dialog !== null && !dialog.contains(picture);
      // A picture that has not come yet shows nothing.
      if (document.hidden || covered || !picture.complete || picture.naturalWidth === 0) {
        this.since.set(picture, now);
      } else if (now - since >= shared.glance) {
        const { id, path, page } = this.known.get(picture);
        this.since.delete(picture);
        this.observer.unobserve(picture);
        this.seen.add(id);
        picture.closest("li")?.classList.add("seen");
        if (!this.unsent.has(path)) this.unsent.set(path, new Set());
        this.unsent.get(path).add(page);
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

  async sendNow() {
    for (const [path, waiting] of this.unsent) {
      const pages = [...waiting];
      if (pages.length === 0) continue;
      await post(path, { pages });
      for (const page of pages) waiting.delete(page);
    }
  }
}
