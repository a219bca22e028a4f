// A form for the key: what it changes is shown before it is added. Used on the wall and among the disputes.

import { Glances } from "../glances.js";
import { make } from "../make.js";
import { Away, Refused, post } from "../server.js";
import { count, find, say } from "../wall/shared.js";
import { effectTable } from "./effect.js";

const PAUSE_MS = 350;

export class KeyDialog {
  /** @param {(added: object, count: number) => void} done Called once a form was added. */
  constructor(done) {
    this.done = done;
    this.dialog = find("#to-key");
    this.text = find("#to-key-text");
    this.group = find("#to-key-group");
    this.list = find("#to-key-contradicting ol");
    this.add = find("#to-key-add");
    this.glances = new Glances(() => this.sayUnseen());
    this.timer = 0;
    this.asked = 0;
    this.text.addEventListener("input", () => this.later({ anew: true }));
    for (const radio of this.radios) radio.addEventListener("change", () => this.now({ anew: true }));
    this.group.querySelector("input").addEventListener("change", () => this.now());
    find("#to-key-cancel").addEventListener("click", () => this.dialog.close());
    find("#to-key-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    this.dialog.addEventListener("close", () => this.forget());
  }

  get radios() {
    return [...this.dialog.querySelectorAll("[name=to-key-kind]")];
  }

  get accepted() {
    return this.radios.find((radio) => radio.checked).value === "accepted";
  }

  /**
   * Open it.
   * @param {{theme: number, nominal: number, key: object}} question
   * @param {{text?: string, answers?: object[], exceptions?: Map<string, string>}} about `answers`: a
   *     disputed group that can be ruled with the form; `exceptions`: their own verdicts by sheet.
   */
  open(question, { text = "", answers = [], exceptions = new Map() } = {}) {
    this.question = question;
    this.answers = answers;
    this.exceptions = exceptions;
    this.dropped = new Set();
    this.effect = null;
    find("#to-key-place").textContent = question.theme
      ? `${question.theme}–${question.nominal}`
      : question.title;
    const { answer, accepted, rejected } = question.key;
    find("#to-key-now").textContent = say("key_now", { forms: [answer, ...accepted].join(" · ") });
    find("#to-key-rejected").textContent = say("key_rejected", { forms: rejected.join(" · ") });
    find("#to-key-rejected").hidden = rejected.length === 0;
    this.text.value = text;
    this.radios[0].checked = true;
    this.group.hidden = answers.length === 0;
    this.group.querySelector("input").checked = answers.length > 0;
    this.list.replaceChildren();
    this.show(null);
    this.dialog.showModal();
    this.text.focus();
    this.text.select();
    if (text) this.now({ anew: true });
  }

  forget() {
    clearTimeout(this.timer);
    this.asked += 1;
    this.list.replaceChildren();
    this.glances.tidy();
  }

  later(options) {
    clearTimeout(this.timer);
    // An answer that is under way is about what was typed before.
    this.asked += 1;
    this.add.disabled = true;
    this.timer = setTimeout(() => this.now(options), PAUSE_MS);
  }

  /** The verdicts on the disputed group that go with the form. */
  verdicts() {
    const given = {};
    if (this.group.hidden || !this.group.querySelector("input").checked) return given;
    for (const { sheet } of this.answers) {
      const verdict = this.exceptions.get(sheet) ?? (this.accepted ? "right" : "wrong");
      if (verdict !== "disputed") given[sheet] = verdict;
    }
    return given;
  }

  /** The contradicting answers that are ruled anew; null stands for all of them. */
  anew() {
    if (!this.effect || this.dropped.size === 0) return null;
    return this.effect.contradicting.map(({ sheet }) => sheet).filter((one) => !this.dropped.has(one));
  }

  /** Ask what it would change; `anew`: the form itself is another one. */
  async now({ anew = false } = {}) {
    clearTimeout(this.timer);
    if (anew) this.dropped.clear();
    const form = this.text.value.trim();
    this.asked += 1;
    const { asked } = this;
    this.add.disabled = true;
    if (!form) {
      this.show(null);
      return;
    }
    const body = { form, accepted: this.accepted, anew: anew ? null : this.anew(), verdicts: this.verdicts() };
    try {
      const effect = await post(this.address("effect"), body);
      if (asked === this.asked) this.show(effect);
    } catch (error) {
      if (asked === this.asked) this.fail(error);
    }
  }

  address(what) {
    return `/api/key/${this.question.theme}/${this.question.nominal}/${what}`;
  }

  show(effect) {
    this.effect = effect;
    this.problem("");
    const verdict = say(this.accepted ? "right" : "wrong");
    this.group.querySelector("span").textContent = say("key_group", {
      n: count(this.answers.length),
      verdict,
    });
    const section = find("#to-key-contradicting");
    section.hidden = !effect || effect.contradicting.length === 0;
    find("#to-key-effect").hidden = !effect;
    this.add.disabled = !effect;
    if (!effect) {
      this.list.replaceChildren();
      this.sayButton();
      return;
    }
    section.querySelector("h3").textContent = say("key_contradicting", {
      n: count(effect.contradicting.length),
      verdict,
    });
    const shown = [...this.list.children].map((item) => item.dataset.sheet).join();
    if (shown !== effect.contradicting.map(({ sheet }) => sheet).join()) {
      this.list.replaceChildren(...effect.contradicting.map((answer) => this.shot(answer)));
      this.glances.tidy();
      for (const [index, picture] of this.list.querySelectorAll("img").entries()) {
        this.glances.watch(picture, this.question, effect.contradicting[index]);
      }
    }
    const lines = [];
    if (effect.moved) lines.push(say(effect.accepted ? "key_moved" : "key_moved_back", { form: effect.moved }));
    if (effect.suggested) {
      lines.push(say(effect.accepted ? "key_suggested" : "key_suggested_less", { n: count(effect.suggested) }));
    }
    const own = new Set(this.answers.map(({ sheet }) => sheet));
    const disputed = effect.disputed.filter((sheet) => !own.has(sheet)).length;
    if (disputed) lines.push(say("key_disputed", { n: count(disputed) }));
    find("#to-key-lines").replaceChildren(...lines.map((line) => make("p", {}, line)));
    find("#to-key-table").replaceChildren(effectTable(effect.players, effect.crossing));
    this.sayUnseen();
  }

  shot(answer) {
    const box = make("input", { type: "checkbox" });
    box.checked = !this.dropped.has(answer.sheet);
    box.addEventListener("change", () => {
      if (box.checked) this.dropped.delete(answer.sheet);
      else this.dropped.add(answer.sheet);
      this.now();
    });
    const { width, height } = this.effect.crop;
    const alt = answer.text ? say("alt_read", answer) : say("alt_unread");
    const picture = make("img", { src: answer.crop, width, height, alt });
    const words = `${say(answer.ruling)} · ${answer.text || say("not_read")}`;
    const label = make("label", {}, box, picture, make("span", { class: "small soft" }, words));
    return make("li", { data: { sheet: answer.sheet } }, label);
  }

  /** Answers that would get another verdict and were not in view yet; the server refuses them too. */
  unseen() {
    if (!this.effect) return [];
    return this.effect.contradicting.filter(
      (answer) => !this.dropped.has(answer.sheet) && !this.glances.saw(this.question, answer),
    );
  }

  sayUnseen() {
    const left = this.unseen().length;
    find("#to-key-unseen").textContent = left ? say("unseen", { n: count(left) }) : "";
    this.sayButton();
  }

  sayButton() {
    const n = this.effect
      ? this.effect.contradicting.length - this.dropped.size + Object.keys(this.verdicts()).length
      : 0;
    this.add.textContent = n ? say("key_add_rule", { n: count(n) }) : say("key_add");
  }

  async submit() {
    if (this.add.disabled || !this.effect) return;
    const [first] = this.unseen();
    if (first) {
      this.list.querySelector(`[data-sheet="${CSS.escape(first.sheet)}"]`).scrollIntoView({ block: "center" });
      this.problem(say("unseen_refused", { n: count(this.unseen().length) }));
      return;
    }
    this.add.disabled = true;
    const { state, form, accepted, contradicting } = this.effect;
    const anew = contradicting.map(({ sheet }) => sheet).filter((one) => !this.dropped.has(one));
    const verdicts = this.verdicts();
    try {
      await this.glances.send();
      const { added } = await post(this.address("forms"), { form, accepted, state, anew, verdicts });
      this.dialog.close();
      this.done(added, anew.length + Object.keys(verdicts).length);
    } catch (error) {
      // What has changed meanwhile is looked at anew; the reason stays readable above it.
      if (error instanceof Refused && error.status === 409 && error.code === "wall_changed") {
        await this.now({ anew: true });
      }
      this.fail(error);
    }
  }

  problem(text) {
    const box = find("#to-key-problem");
    box.textContent = text;
    box.hidden = !text;
  }

  fail(error) {
    if (error instanceof Refused) {
      if (error.code !== "wall_changed") this.show(null);
      this.problem(`${error.message} ${error.hint}`);
    } else if (error instanceof Away) {
      this.add.disabled = !this.effect;
      this.problem(say("no_connection"));
    } else {
      throw error;
    }
  }
}
