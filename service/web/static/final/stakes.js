// The stakes as cards: the picture, what is read or entered, what it means, and the way to correct it.

import { Haste } from "../haste.js";
import { make } from "../make.js";
import { say, shared } from "../wall/shared.js";

const CHECK_AFTER_MS = 250;

export class Stakes {
  /**
   * @param list The list of cards.
   * @param page The controller in `main.js`.
   */
  constructor(list, page) {
    this.list = list;
    this.page = page;
    this.lines = new Map();
    /** Player's number → what somebody is typing and has not recorded. */
    this.typed = new Map();
    this.timer = 0;
    this.haste = new Haste(list);
  }

  show(data) {
    this.crop = data.crop;
    const focused = document.activeElement?.closest?.(".stake");
    const number = focused ? Number(focused.dataset.number) : null;
    const chief = document.activeElement?.closest?.(".chief-word") !== null;
    const selection = document.activeElement?.selectionStart;
    this.lines = new Map(data.stakes.map((line) => [line.number, line]));
    const old = new Map([...this.list.children].map((card) => [card.dataset.shown, card]));
    const cards = data.stakes.map((line) => {
      // What has not changed stays as it is, with whatever is being typed in it.
      const shown = JSON.stringify({ ...line, seen: true });
      return old.get(shown) ?? this.make(line, shown);
    });
    const same = cards.length === this.list.children.length;
    if (!same || cards.some((card, index) => card !== this.list.children[index])) {
      this.list.replaceChildren(...cards);
    }
    this.list.setAttribute("aria-busy", "false");
    if (number !== null && !this.list.contains(document.activeElement)) {
      const where = chief ? ".chief-word input" : "input";
      const input = this.card(number)?.querySelector(where);
      input?.focus({ preventScroll: true });
      if (selection !== undefined && selection !== null) input?.setSelectionRange(selection, selection);
    }
  }

  card(number) {
    return this.list.querySelector(`[data-number="${number}"]`);
  }

  /** What was typed of a player is recorded now. */
  settle(number) {
    this.typed.delete(number);
    const card = this.card(number);
    if (card) card.dataset.shown = "";
  }

  /** Open stakes that nobody has to look at twice and nobody has begun to change. */
  sure() {
    return [...this.lines.values()].filter(
      (line) => !line.entered && line.may_stake && !line.doubtful && !this.typed.has(line.number),
    );
  }

  make(line, shown) {
    const read = line.read.read ? line.read.text || "–" : "";
    const picture = make("img", {
      src: line.crop,
      width: this.crop.width,
      height: this.crop.height,
      loading: "lazy",
      decoding: "async",
      alt: read ? say("picture", { text: read }) : say("picture_unread"),
      data: { page: line.page },
    });
    const card = make("li", { class: "stake", data: { number: line.number, shown } }, picture);
    card.classList.toggle("doubtful", line.doubtful && !line.entered);
    card.classList.toggle("entered", line.entered > 0);
    card.classList.toggle("out", !line.may_stake);
    card.classList.toggle("waits", line.entered > 0 && line.check.state === "chief");
    if (line.player) card.append(this.who(line));
    if (line.may_stake) card.append(this.entry(line));
    card.append(this.said(line));
    if (line.check.effect) card.append(make("p", { class: "effect small" }, line.check.effect));
    if (shared.decides && line.may_stake) card.append(this.chief(line));
    return card;
  }

  who({ number, player }) {
    const { name, sum, least, most } = player;
    const about = least === null ? say("sum_none", { sum }) : say("sum", { sum, least, most });
    return make(
      "p",
      { class: "who" },
      make("strong", {}, `${number} · ${name}`),
      make("span", { class: "soft small sum" }, about),
    );
  }

  entry(line) {
    const input = make("input", {
      inputmode: "text",
      autocomplete: "off",
      maxlength: "20",
      "aria-label": say("stake"),
    });
    input.value = this.typed.get(line.number) ?? line.text;
    const button = make("button", { type: "button" }, this.word(line, input.value));
    button.classList.toggle("primary", !line.entered);
    button.disabled = this.isSame(line, input.value);
    const record = () => this.record(line.number, input.value);
    input.oninput = () => {
      this.note(line, input.value);
      button.textContent = this.word(line, input.value);
      button.disabled = this.isSame(line, input.value);
    };
    input.onkeydown = (event) => {
      if (event.key === "Enter" && !event.repeat && !button.disabled && !this.haste.tooSoon) record();
      if (event.key === "Escape") {
        input.value = line.text;
        input.oninput();
      }
    };
    button.onclick = record;
    return make("div", { class: "entry" }, input, button);
  }

  word(line) {
    return say(line.entered ? "change" : "confirm");
  }

  /** True if recording would say nothing new. */
  isSame(line, text) {
    return line.entered > 0 && text.trim() === line.text;
  }

  /** Somebody types: remembered, and after a moment checked. */
  note(line, text) {
    if (text === line.text) this.typed.delete(line.number);
    else this.typed.set(line.number, text);
    this.page.saySure();
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      const check = await this.page.check(line.number, text);
      const card = this.card(line.number);
      if (!check || !card || card.querySelector("input").value !== text) return;
      card.querySelector(".said").replaceWith(this.said({ ...line, check }));
      card.querySelector(".effect")?.remove();
      const effect = make("p", { class: "effect small" }, check.effect);
      if (check.effect) card.querySelector(".said").after(effect);
    }, CHECK_AFTER_MS);
  }

  async record(number, text) {
    const line = this.lines.get(number);
    if (!(await this.page.enter([{ line, text }]))) return;
    // On to the next one that waits.
    const next = [...this.lines.values()].find((other) => !other.entered && other.may_stake);
    const input = next && this.card(next.number)?.querySelector("input");
    if (!input) return;
    input.focus({ preventScroll: true });
    input.select();
    this.card(next.number).scrollIntoView({ block: "nearest" });
    this.haste.changed();
  }

  said(line) {
    const parts = [make("span", { class: `check ${line.check.state}` }, line.check.word)];
    if (line.entered) parts.push(make("span", { class: "done small" }, say("confirmed")));
    else if (!line.read.read) parts.push(make("span", { class: "flag" }, say("not_read")));
    else if (line.may_stake && !line.read.sure) {
      parts.push(make("span", { class: "flag" }, say("look_twice")));
    }
    if (line.entered && line.read.read) {
      parts.push(make("span", { class: "soft small" }, say("read", { text: line.read.text || "–" })));
    }
    return make("div", { class: "said" }, ...parts);
  }

  chief(line) {
    const input = make("input", { inputmode: "numeric", maxlength: "9", autocomplete: "off" });
    if (line.ruled !== null) input.value = line.ruled;
    const set = make("button", { type: "button" }, say("chief_set"));
    const wanted = () => (/^\d{1,9}$/.test(input.value.trim()) ? Number(input.value) : null);
    set.onclick = () => wanted() !== null && this.page.rule(line.number, wanted());
    input.onkeydown = (event) => {
      if (event.key === "Enter" && !event.repeat) set.click();
    };
    const label = make("label", { class: "small" }, say("chief_stake"));
    input.id = `chief-${line.number}`;
    label.htmlFor = input.id;
    const row = make("div", { class: "chief-word" }, label, input, set);
    if (line.ruled !== null) {
      const leave = make("button", { type: "button", class: "quiet" }, say("chief_leave"));
      leave.onclick = () => this.page.rule(line.number, null);
      row.append(leave);
    }
    // Where nothing is open it stays out of the way.
    if (line.ruled !== null || line.check.state !== "good") return row;
    return make("details", {}, make("summary", { class: "small" }, say("chief_stake")), row);
  }
}
