// The wall on the screen: builds the tiles of a question and keeps their looks in step with the marks.

import { make } from "../make.js";
import { SIGNS, count, find, say } from "./shared.js";

export class View {
  constructor() {
    this.written = find("#written");
    this.blanks = find("#blanks");
    /** Tiles in the order of the keyboard: written answers, then the strip. */
    this.items = [];
    this.cursor = 0;
  }

  /** Build a question anew. */
  build(wall) {
    this.wall = wall;
    this.entries = new Map([...wall.written, ...wall.blanks].map((entry) => [entry.sheet, entry]));
    this.sayQuestion(wall);
    const ratio = wall.crop.height / wall.crop.width;
    find("#answers").style.setProperty("--crop-ratio", ratio.toFixed(4));
    const ruled = [...wall.written, ...wall.blanks].some((entry) => entry.ruling);
    this.boundary = this.makeBoundary();
    this.items = [
      ...wall.written.map((entry) => this.makeTile(entry, ruled)),
      ...wall.blanks.map((entry) => this.makeTile(entry, ruled)),
    ];
    const many = wall.written.length;
    this.written.replaceChildren(...this.items.slice(0, many));
    this.blanks.replaceChildren(...this.items.slice(many));
    find("#strip").hidden = wall.blanks.length === 0;
    find("#strip-title").textContent = say("blanks", { n: count(wall.blanks.length) });
    find("#strip-note").textContent = say("blanks_note");
    const nothing = wall.blanks.length === 0 ? say("no_sheets") : say("no_answers");
    const loading = find("#loading");
    loading.hidden = many > 0;
    loading.textContent = nothing;
    find("#answers").setAttribute("aria-busy", "false");
    this.cursor = 0;
  }

  sayQuestion(wall) {
    // The final question belongs to no theme; it has a name alone.
    find("#theme-title").textContent = wall.theme ? say("question", wall) : wall.title;
    find("#nominal").textContent = wall.nominal;
    find("#nominal").hidden = !wall.theme;
    find("#question-text").textContent = wall.key.text;
    find("#question-text").hidden = !wall.key.text;
    find("#key-answer").textContent = wall.key.answer;
    for (const part of ["accepted", "rejected"]) {
      const forms = wall.key[part].map((form) => make("span", {}, form));
      find(`#key-${part}`).replaceChildren(...forms);
      find(`[data-part="${part}"]`).hidden = forms.length === 0;
    }
    find("#key-remark").textContent = wall.key.remark;
    find('[data-part="remark"]').hidden = !wall.key.remark;
  }

  makeTile(entry, others) {
    const image = make("img", {
      src: entry.crop,
      width: this.wall.crop.width,
      height: this.wall.crop.height,
      loading: "lazy",
      decoding: "async",
      draggable: "false",
      alt: this.describe(entry),
    });
    const sign = make("button", { type: "button", class: "sign", tabindex: "-1" });
    const caption = make("span", { class: "caption" }, ...this.caption(entry, others));
    const crop = make("button", { type: "button", class: "crop", tabindex: "-1" }, image, caption);
    const tile = make("li", { data: { sheet: entry.sheet, ink: entry.ink } }, sign, crop);
    tile.classList.toggle("doubtful", !entry.sure);
    return tile;
  }

  describe(entry) {
    if (entry.ink !== "written") return say("alt_blank", { ink: say(`ink_${entry.ink}`) });
    return entry.text ? say("alt_read", entry) : say("alt_unread");
  }

  caption(entry, others) {
    if (entry.ink !== "written") {
      const words = entry.ink === "blank" ? [] : [say(`ink_${entry.ink}`)];
      if (!entry.sure) words.push(say("look_twice"));
      return [words.join(" · ")];
    }
    const reading = make("span", { class: "reading" }, entry.text || say("not_read"));
    reading.classList.toggle("unread", !entry.text);
    const parts = [reading];
    if (entry.suggestion) parts.push(make("span", { class: "hint" }, SIGNS[entry.suggestion]));
    if (entry.form) parts.push(make("span", { class: "like" }, say("like", entry)));
    const flags = make("span", { class: "flags" });
    if (!entry.sure) flags.append(make("span", { class: "flag" }, say("look_twice")));
    if (others && !entry.ruling) flags.append(make("span", { class: "flag" }, say("new")));
    // Where most of them matter the mark would say nothing.
    const { written } = this.wall;
    if (entry.matters && 2 * written.filter((one) => one.matters).length < written.length)
      flags.append(make("span", { class: "flag" }, say("matters")));
    parts.push(flags);
    return parts;
  }

  makeBoundary() {
    const grip = make("span", { class: "grip", "aria-hidden": "true" });
    grip.append(make("i"), make("i"), make("i"));
    return make(
      "li",
      { class: "boundary", role: "separator" },
      make("span", { class: "side above" }, `↑ ${say("right")}`),
      grip,
      make("span", { class: "side below" }, `${say("wrong")} ↓`),
    );
  }

  /** Make every tile look as the marks say. */
  refresh(marks) {
    const all = this.items.length;
    this.items.forEach((tile, index) => {
      const { sheet } = tile.dataset;
      const verdict = marks.verdict(sheet);
      const isTile = marks.isWritten(sheet) || verdict !== "blank";
      this.showRemark(tile, marks.remark(sheet));
      if (tile.dataset.verdict === verdict && tile.dataset.shown) return;
      tile.dataset.shown = "yes";
      tile.dataset.verdict = verdict;
      tile.classList.toggle("tile", isTile);
      tile.classList.toggle("blank-box", !isTile);
      const [sign, crop] = tile.children;
      sign.textContent = SIGNS[verdict];
      sign.setAttribute("aria-label", say("label_verdict", { verdict: say(verdict) }));
      const label = isTile
        ? say("label_answer", { at: index + 1, all, verdict: say(verdict) })
        : say("label_blank", { ink: say(`ink_${tile.dataset.ink}`) });
      crop.setAttribute("aria-label", `${label}. ${crop.firstChild.alt}`);
    });
    this.placeBoundary(marks);
    this.sayCounts(marks.counts());
  }

  /** The words for the chief on a disputed tile; pressing them edits them. */
  showRemark(tile, remark) {
    const old = tile.querySelector(".note");
    if (!remark) {
      old?.remove();
      return;
    }
    const words = [remark.text, remark.form && `+ ${remark.form}`].filter(Boolean).join(" · ");
    const text = `✎ ${words || say("remark")}`;
    if (old?.textContent === text) return;
    const label = words ? say("remark_is", { text: words }) : say("add_remark");
    const note = make("button", { type: "button", class: "note", tabindex: "-1", "aria-label": label }, make("span", {}, text));
    note.title = label;
    old?.remove();
    tile.append(note);
  }

  placeBoundary(marks) {
    this.boundary.hidden = marks.written.length === 0;
    const after = this.items[marks.boundary];
    const next = marks.boundary < marks.written.length ? after : null;
    if (this.boundary.nextElementSibling !== next || !this.boundary.isConnected) {
      this.written.insertBefore(this.boundary, next);
    }
  }

  sayCounts(counts) {
    find("#counts").textContent = say("counts", {
      right: count(counts.right),
      wrong: count(counts.wrong),
      disputed: count(counts.disputed),
      blank: count(counts.blank),
    });
  }

  /** The tile under the cursor, undefined on an empty wall. */
  get chosen() {
    return this.items[this.cursor];
  }

  /** Choose a tile; the keyboard goes there too. */
  choose(index, { scroll = true } = {}) {
    if (this.items.length === 0) return;
    this.unchoose();
    this.cursor = Math.max(0, Math.min(this.items.length - 1, index));
    const tile = this.chosen;
    tile.classList.add("cursor");
    tile.querySelector(".crop").tabIndex = 0;
    this.focus();
    if (scroll) tile.scrollIntoView({ block: "nearest" });
  }

  /** Bring the keyboard to the chosen tile. */
  focus() {
    this.chosen?.querySelector(".crop").focus({ preventScroll: true });
  }

  unchoose() {
    this.chosen?.classList.remove("cursor");
    const crop = this.chosen?.querySelector(".crop");
    if (crop) crop.tabIndex = -1;
  }

  indexOf(sheet) {
    return this.items.findIndex((tile) => tile.dataset.sheet === sheet);
  }

  /** The tile above or below the chosen one, by where they are on the screen. */
  inNextRow(direction) {
    const here = this.chosen.getBoundingClientRect();
    let best = -1;
    let row = null;
    let distance = Infinity;
    for (
      let index = this.cursor + direction;
      index >= 0 && index < this.items.length;
      index += direction
    ) {
      const there = this.items[index].getBoundingClientRect();
      const beyond = direction > 0 ? there.top >= here.bottom - 2 : there.bottom <= here.top + 2;
      if (!beyond) continue;
      if (row !== null && Math.abs(there.top - row) > 4) break;
      row = there.top;
      const off = Math.abs(there.left + there.width / 2 - here.left - here.width / 2);
      if (off < distance) [best, distance] = [index, off];
    }
    return best;
  }
}
