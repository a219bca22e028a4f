// Which pictures of answers a person has seen, on pages that show answers to different questions.

import { InView } from "./in_view.js";

export class Glances {
  /** @param {() => void} tell Called when more has been seen. */
  constructor(tell = () => {}) {
    this.tell = tell;
    /** Picture → what it shows. */
    this.known = new Map();
    this.seen = new Set();
    this.view = new InView((pictures) => this.note(pictures));
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
    else this.view.watch(picture);
  }

  /** Pictures that have left the page are forgotten; what was seen stays known. */
  tidy() {
    for (const picture of this.known.keys()) {
      if (picture.isConnected) continue;
      this.view.forget(picture);
      this.known.delete(picture);
    }
  }

  /** True if the answer was in view for long enough, now or before. */
  saw({ theme, nominal }, { page }) {
    return this.seen.has(`${theme}/${nominal}/${page}`);
  }

  note(pictures) {
    for (const picture of pictures) {
      const { id, path, page } = this.known.get(picture);
      this.seen.add(id);
      picture.closest("li")?.classList.add("seen");
      this.view.waiting(path).add(page);
    }
    this.tell();
  }

  /** Tell the server; what it does not hear of now is told again later. */
  send() {
    return this.view.send();
  }
}
