// A second press of a quick hand is for what was there before, not for what has just come into its place.

const SETTLE_MS = 450;

export class Haste {
  /** @param {HTMLElement} part What takes no clicks meanwhile. */
  constructor(part) {
    this.part = part;
    this.until = 0;
    this.timer = 0;
  }

  /** Something else has come under the hand. */
  changed() {
    this.until = performance.now() + SETTLE_MS;
    this.part.classList.add("settling");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.part.classList.remove("settling"), SETTLE_MS);
  }

  /** True while a press would still be meant for what was there before. */
  get tooSoon() {
    return performance.now() < this.until;
  }
}
