// An answer enlarged: while the mouse rests on it, or by a key for the chosen one.

const REST_MS = 350;
const MARGIN = 8;
// Where the wall shows it nearly as large already, hovering would only cover its neighbours.
const LEAST_GAIN = 1.35;

export class Lens {
  /** @param {HTMLElement} figure The empty figure of the page. */
  constructor(figure) {
    this.figure = figure;
    this.pinned = false;
    /** What a pinned lens shows. */
    this.crop = null;
    this.timer = 0;
  }

  /** Let the mouse enlarge what it rests on. */
  follow(root) {
    root.addEventListener("pointerover", (event) => {
      const crop = event.target.closest(".crop");
      if (!crop || event.pointerType !== "mouse" || this.pinned || event.buttons) return;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.show(crop, LEAST_GAIN), REST_MS);
    });
    root.addEventListener("pointerout", (event) => {
      const crop = event.target.closest(".crop");
      if (crop && !crop.contains(event.relatedTarget)) this.leave();
    });
    root.addEventListener("pointerdown", () => this.leave());
    window.addEventListener("scroll", () => (this.pinned ? this.stay() : this.leave()), { passive: true });
  }

  leave() {
    clearTimeout(this.timer);
    if (!this.pinned) this.figure.hidden = true;
  }

  /** Pin the lens to the chosen tile, or take it away. */
  toggle(tile) {
    this.pinned = !this.pinned;
    this.keepOn(tile);
  }

  /** The cursor has moved. */
  keepOn(tile) {
    clearTimeout(this.timer);
    this.crop = tile?.querySelector(".crop") ?? null;
    if (this.pinned && this.crop) this.show(this.crop, 0);
    else this.figure.hidden = true;
  }

  /** A pinned lens stays at its answer, and goes while that is out of sight: it must not cover the key. */
  stay() {
    if (!this.crop?.isConnected) return;
    const { top, bottom } = this.crop.getBoundingClientRect();
    const { above, below } = room();
    if (bottom <= above || top >= below) this.figure.hidden = true;
    else this.show(this.crop, 0);
  }

  close() {
    this.pinned = false;
    this.figure.hidden = true;
  }

  show(crop, leastGain) {
    const picture = crop.querySelector("img");
    const from = crop.getBoundingClientRect();
    const natural = Number(picture.getAttribute("width")) * 1.25;
    const width = Math.min(natural, window.innerWidth - 2 * MARGIN);
    if (width < from.width * leastGain) return;
    const [image, caption] = this.figure.children;
    image.src = picture.currentSrc || picture.src;
    image.alt = picture.alt;
    caption.textContent = crop.querySelector(".reading")?.textContent ?? "";
    this.figure.hidden = false;
    const { style } = this.figure;
    style.width = `${width}px`;
    const height = this.figure.offsetHeight;
    const { above, below } = room();
    const under = from.bottom + MARGIN;
    const over = from.top - height - MARGIN;
    // Under the answer; over it where there is no room; never over the key if that can be helped.
    const fits = under + height < below || over < above;
    style.top = `${Math.max(MARGIN, fits ? Math.min(under, window.innerHeight - height - MARGIN) : over)}px`;
    const left = Math.min(from.left, window.innerWidth - width - MARGIN);
    style.left = `${Math.max(MARGIN, left)}px`;
  }
}

/** From where to where answers are in sight: between the key, if it stays at the top, and the bar. */
function room() {
  const key = document.querySelector("#key");
  const sticky = key && getComputedStyle(key).position === "sticky";
  const bar = document.querySelector(".bar");
  return {
    above: sticky ? key.getBoundingClientRect().bottom : 0,
    below: bar ? bar.getBoundingClientRect().top : window.innerHeight,
  };
}
