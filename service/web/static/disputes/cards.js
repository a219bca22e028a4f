// The groups that wait for the chief, the cursor among them, and what is set on them and not recorded yet.

import { section, showExceptions } from "./view.js";

/** A question's name, as sections and counts have it. */
export const placeOf = ({ theme, nominal }) => `${theme}-${nominal}`;

export class Cards {
  /**
   * @param {HTMLElement} list Where the sections are.
   * @param glances What was in view.
   * @param {() => void} tell Called when what is shown, or the cursor, has changed.
   */
  constructor(list, glances, tell) {
    this.list = list;
    this.glances = glances;
    this.tell = tell;
    /** Question by place. */
    this.questions = new Map();
    /** By place: sheet → the verdict that differs from its group's. */
    this.exceptions = new Map();
    /** The cards in order: `{ element, question, group }`. */
    this.all = [];
    this.cursor = 0;
    this.at = 0;
  }

  get chosen() {
    return this.all[this.cursor];
  }

  /** The answer under the cursor. */
  get tile() {
    return this.chosen?.element.querySelectorAll("li.shot")[this.at];
  }

  /** How many answers wait; of one question if it is named. */
  count(place = null) {
    const those = this.all.filter(({ question }) => place === null || placeOf(question) === place);
    return those.reduce((sum, { group }) => sum + group.answers.length, 0);
  }

  /** Show a question as it is now; one without groups goes. The cursor stays on its answer. */
  put(fresh) {
    const name = placeOf(fresh);
    const old = this.list.querySelector(`[data-question="${name}"]`);
    const before = this.chosen;
    const sheet = before && placeOf(before.question) === name ? this.tile?.dataset.sheet : null;
    if (fresh.groups.length === 0) {
      this.questions.delete(name);
      this.exceptions.delete(name);
      old?.remove();
    } else {
      this.questions.set(name, fresh);
      const made = section(fresh);
      const next = [...this.list.children].find((other) => isAfter(other.dataset.question, name));
      if (old) old.replaceWith(made);
      else this.list.insertBefore(made, next ?? null);
    }
    this.collect();
    const kept = this.all.findIndex(({ element }) => element === before?.element);
    const same = this.all.findIndex(
      ({ question, group }) =>
        sheet && placeOf(question) === name && group.answers.some((one) => one.sheet === sheet),
    );
    if (kept >= 0) this.choose(kept, { scroll: false, at: this.at });
    // Else the card that has come into its place.
    else this.choose(same >= 0 ? same : this.cursor, { scroll: false });
  }

  /** Questions that are not among these have gone. */
  keepOnly(names) {
    for (const name of [...this.questions.keys()]) {
      if (!names.has(name)) this.put({ ...this.questions.get(name), groups: [] });
    }
  }

  collect() {
    this.all = [];
    for (const element of this.list.querySelectorAll("article.group")) {
      const question = this.questions.get(element.closest("section").dataset.question);
      const group = question.groups[Number(element.dataset.index)];
      this.all.push({ element, question, group });
      showExceptions(element, group, this.exceptionsOf(question));
      for (const [index, picture] of element.querySelectorAll("li.shot img").entries()) {
        if (!this.glances.known.has(picture)) this.glances.watch(picture, question, group.answers[index]);
      }
    }
    this.glances.tidy();
  }

  choose(index, { scroll = true, at = 0 } = {}) {
    for (const element of this.list.querySelectorAll(".chosen, .cursor")) element.classList.remove("chosen", "cursor");
    this.cursor = Math.max(0, Math.min(this.all.length - 1, index));
    if (this.chosen) {
      this.at = Math.max(0, Math.min(this.chosen.group.answers.length - 1, at));
      const { element } = this.chosen;
      element.classList.add("chosen");
      this.tile.classList.add("cursor");
      if (!document.querySelector("dialog[open]")) element.focus({ preventScroll: true });
      if (scroll) {
        this.tile.scrollIntoView({ block: "nearest" });
        if (this.at === 0) element.scrollIntoView({ block: "nearest" });
      }
    }
    this.tell();
  }

  stepAnswer(by) {
    const at = this.at + by;
    const many = this.chosen?.group.answers.length ?? 0;
    if (at < 0 && this.cursor > 0) this.choose(this.cursor - 1, { at: Infinity });
    else if (at >= many) this.choose(this.cursor + 1);
    else this.choose(this.cursor, { at });
  }

  /** Choose an answer and bring it into the middle of the screen. */
  show(card, answer) {
    this.choose(this.all.indexOf(card), { at: card.group.answers.indexOf(answer) });
    this.tile.scrollIntoView({ block: "center" });
  }

  exceptionsOf(question) {
    const place = placeOf(question);
    if (!this.exceptions.has(place)) this.exceptions.set(place, new Map());
    return this.exceptions.get(place);
  }

  /** Answers that would be ruled on with their group and were not in view yet. */
  unseen({ question, group }) {
    const exceptions = this.exceptionsOf(question);
    return group.answers.filter(
      (answer) => exceptions.get(answer.sheet) !== "disputed" && !this.glances.saw(question, answer),
    );
  }
}

/** True if a section belongs behind a question: `3-40` behind `3-20`; the final question comes last. */
function isAfter(section, name) {
  const order = (place) => {
    const [theme, nominal] = place.split("-").map(Number);
    return theme === 0 ? Infinity : theme * 10000 + nominal;
  };
  return order(section) > order(name);
}
