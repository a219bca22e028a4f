// Which stakes the juror has seen.

import { InView, LOOK_EVERY_MS } from "../in_view.js";
import { find } from "../wall/shared.js";

const PATH = "/api/final/seen";
// So many looks a press of a button waits for a picture to be seen.
const PATIENCE = 15;

export class Looks {
  /** @param {() => void} tell Called when more has been seen. */
  constructor(list, tell) {
    this.list = list;
    this.tell = tell;
    this.seen = new Set();
    this.view = new InView((pictures) => this.note(pictures));
  }

  /** Watch the pictures that are shown now. */
  watch(lines) {
    for (const line of lines) if (line.seen) this.seen.add(line.page);
    this.view.begin(`0px 0px -${find(".bar").offsetHeight}px 0px`);
    for (const picture of this.list.querySelectorAll("img")) {
      if (!this.saw(Number(picture.dataset.page))) this.view.watch(picture);
    }
  }

  note(pictures) {
    for (const picture of pictures) {
      const page = Number(picture.dataset.page);
      this.seen.add(page);
      this.view.waiting(PATH).add(page);
    }
    this.tell();
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
  send() {
    return this.view.send();
  }
}
