// The chief's page: every disputed answer, ruled once for all equal ones.

import { KeyDialog } from "../key/dialog.js";
import { Glances } from "../glances.js";
import { listen } from "../live.js";
import { keyName } from "../wall/keyboard.js";
import { Lens } from "../wall/lens.js";
import { hush, notify } from "../wall/notices.js";
import { Away, Refused, get, post } from "../wall/server.js";
import { count, find, say, shared } from "../wall/shared.js";
import { nextException, section, showExceptions, showForms } from "./view.js";

const placeOf = ({ theme, nominal }) => `${theme}-${nominal}`;

class Page {
  constructor() {
    /** Question by place, in the order of the key. */
    this.questions = new Map();
    /** By place: sheet → the verdict that differs from its group's. */
    this.exceptions = new Map();
    /** The cards in order: `{ element, question, group }`. */
    this.cards = [];
    this.cursor = 0;
    this.at = 0;
    this.busy = false;
    /** By place what the counts said last. */
    this.heard = new Map();
    this.key = null;
    this.list = find("#list");
    this.lens = new Lens(find("#lens"));
    this.lens.follow(this.list);
    this.glances = new Glances(() => this.sayUnseen());
    this.dialog = new KeyDialog((added, ruled) => this.added(added, ruled));
    this.actions = {
      rule_right: () => this.rule("right"),
      rule_wrong: () => this.rule("wrong"),
      rule_blank: () => this.rule("blank"),
      exception: () => this.except(),
      to_key: () => this.toKey(),
      group_before: () => this.step(-1),
      group_after: () => this.step(1),
      answer_before: () => this.stepAnswer(-1),
      answer_after: () => this.stepAnswer(1),
      go_unseen: () => this.goUnseen(),
      enlarge: () => this.tile && this.lens.toggle(this.tile),
      around: () => this.around(),
      undo: () => this.undo(),
      show_keys: () => find("#help").showModal(),
      close: () => {
        this.lens.close();
        hush();
      },
    };
    this.byKey = new Map(
      shared.keys.flatMap((group) => group.bindings.flatMap(({ action, keys }) => keys.map((key) => [key, action]))),
    );
    this.listenToPerson();
  }

  async start() {
    await this.load();
    listen((counts) => this.hear(counts));
  }

  // Loading

  async load() {
    let all;
    try {
      all = await get("/api/disputes");
    } catch (error) {
      this.fail(error, () => this.load());
      return;
    }
    this.questions = new Map(all.questions.map((question) => [placeOf(question), question]));
    this.list.replaceChildren(...all.questions.map((question) => section(question)));
    showForms(all.forms, (entry) => this.takeBack(entry));
    this.collect();
    this.choose(this.cursor, { scroll: false });
    document.body.classList.add("loaded");
  }

  /** Load one question again; what the chief has set on it stays. */
  async reload(place) {
    let fresh;
    try {
      fresh = await get(`/api/disputes/${place.theme}/${place.nominal}`);
    } catch (error) {
      this.fail(error, () => this.load());
      return;
    }
    const name = placeOf(place);
    const old = this.list.querySelector(`[data-question="${name}"]`);
    const before = this.chosen;
    const sheet = before && placeOf(before.question) === name ? this.tile?.dataset.sheet : null;
    if (fresh.groups.length === 0) {
      this.questions.delete(name);
      old?.remove();
    } else if (old) {
      this.questions.set(name, fresh);
      old.replaceWith(section(fresh));
    } else {
      this.questions.set(name, fresh);
      const next = [...this.list.children].find((other) => after(other.dataset.question, name));
      this.list.insertBefore(section(fresh), next ?? null);
    }
    this.collect();
    // The cursor stays on its answer, else on the card that has come into its place.
    const kept = this.cards.findIndex(({ element }) => element === before?.element);
    const same = sheet
      ? this.cards.findIndex(
          ({ question, group }) => placeOf(question) === name && group.answers.some((one) => one.sheet === sheet),
        )
      : -1;
    if (kept >= 0) this.choose(kept, { scroll: false, at: this.at });
    else this.choose(same >= 0 ? same : this.cursor, { scroll: false });
  }

  collect() {
    this.cards = [];
    for (const element of this.list.querySelectorAll("article.group")) {
      const question = this.questions.get(element.closest("section").dataset.question);
      const group = question.groups[Number(element.dataset.index)];
      this.cards.push({ element, question, group });
      showExceptions(element, group, this.exceptionsOf(question));
      const pictures = element.querySelectorAll("li.shot img");
      for (const [index, picture] of pictures.entries()) {
        if (!this.glances.known.has(picture)) this.glances.watch(picture, question, group.answers[index]);
      }
    }
    this.glances.tidy();
    const left = this.cards.reduce((sum, { group }) => sum + group.answers.length, 0);
    find("#left").textContent = left ? say("waiting", { n: count(left), groups: count(this.cards.length) }) : "";
    find("#nothing").hidden = left > 0;
    find(".bar-tools").classList.toggle("idle", left === 0);
    this.sayUnseen();
  }

  exceptionsOf(question) {
    const place = placeOf(question);
    if (!this.exceptions.has(place)) this.exceptions.set(place, new Map());
    return this.exceptions.get(place);
  }

  // Moving

  get chosen() {
    return this.cards[this.cursor];
  }

  /** The answer under the cursor. */
  get tile() {
    return this.chosen?.element.querySelectorAll("li.shot")[this.at];
  }

  choose(index, { scroll = true, at = 0 } = {}) {
    for (const element of this.list.querySelectorAll(".chosen, .cursor")) element.classList.remove("chosen", "cursor");
    if (this.cards.length === 0) return;
    this.cursor = Math.max(0, Math.min(this.cards.length - 1, index));
    this.at = Math.max(0, Math.min(this.chosen.group.answers.length - 1, at));
    const { element } = this.chosen;
    element.classList.add("chosen");
    this.tile.classList.add("cursor");
    element.focus({ preventScroll: true });
    if (scroll) this.tile.scrollIntoView({ block: "nearest" });
    if (scroll && this.at === 0) element.scrollIntoView({ block: "nearest" });
    this.lens.keepOn(this.tile);
  }

  step(by) {
    this.choose(this.cursor + by);
  }

  stepAnswer(by) {
    const at = this.at + by;
    const many = this.chosen?.group.answers.length ?? 0;
    if (at < 0 && this.cursor > 0) this.choose(this.cursor - 1, { at: Infinity });
    else if (at >= many) this.choose(this.cursor + 1);
    else this.choose(this.cursor, { at });
  }

  unseen({ question, group }) {
    const exceptions = this.exceptionsOf(question);
    return group.answers.filter(
      (answer) => exceptions.get(answer.sheet) !== "disputed" && !this.glances.saw(question, answer),
    );
  }

  sayUnseen() {
    const left = this.cards.reduce((sum, card) => sum + this.unseen(card).length, 0);
    find("#unseen").hidden = left === 0;
    find("#unseen").textContent = say("unseen", { n: count(left) });
  }

  goUnseen() {
    const index = this.cards.findIndex((card) => this.unseen(card).length > 0);
    if (index < 0) {
      notify(say("all_seen"));
      return;
    }
    const [first] = this.unseen(this.cards[index]);
    this.choose(index, { at: this.cards[index].group.answers.indexOf(first) });
    this.tile.scrollIntoView({ block: "center" });
  }

  around() {
    if (!this.tile) return;
    const answer = this.chosen.group.answers[this.at];
    const picture = find("#around-picture");
    picture.src = answer.around;
    picture.alt = say("place_on_page");
    find("#around").showModal();
  }

  // Ruling

  /** The chosen answer gets another verdict than its group, or stays disputed. */
  except() {
    if (!this.tile || this.chosen.group.answers.length === 1) return;
    const exceptions = this.exceptionsOf(this.chosen.question);
    const { sheet } = this.tile.dataset;
    const next = nextException(exceptions.get(sheet));
    if (next) exceptions.set(sheet, next);
    else exceptions.delete(sheet);
    showExceptions(this.chosen.element, this.chosen.group, exceptions);
    this.sayUnseen();
  }

  /** True if every answer of the chosen group was in view; if not, go to the first that was not. */
  allSeen() {
    const unseen = this.unseen(this.chosen);
    if (unseen.length === 0) return true;
    this.choose(this.cursor, { at: this.chosen.group.answers.indexOf(unseen[0]) });
    this.tile.scrollIntoView({ block: "center" });
    notify(say("unseen_refused", { n: count(unseen.length) }), { hint: say("unseen_refused_hint"), kind: "warn" });
    return false;
  }

  async rule(verdict) {
    if (!this.chosen || this.busy || !this.allSeen()) return;
    const { question, group } = this.chosen;
    const exceptions = this.exceptionsOf(question);
    const verdicts = {};
    for (const { sheet, page } of group.answers) {
      const given = exceptions.get(sheet) ?? verdict;
      if (given !== "disputed") verdicts[sheet] = { verdict: given, page };
    }
    const sheets = Object.keys(verdicts);
    const reply = await this.ask(async () => {
      await this.glances.send();
      return post(`/api/disputes/${question.theme}/${question.nominal}/rule`, { verdicts });
    });
    if (!reply) return;
    for (const sheet of sheets) exceptions.delete(sheet);
    await this.reload(question);
    const button = [say("undo"), () => this.undo()];
    notify(say("ruled", { verdict: say(verdict), n: count(sheets.length) }), { kind: "good", button });
  }

  async toKey() {
    if (!this.chosen || this.busy || !this.allSeen()) return;
    const { question, group } = this.chosen;
    const sent = await this.ask(() => this.glances.send().then(() => true));
    if (!sent) return;
    this.lens.close();
    const text = group.proposed[0] ?? group.reading;
    this.dialog.open(question, { text, answers: group.answers, exceptions: this.exceptionsOf(question) });
  }

  async added(entry, ruled) {
    await this.glances.send().catch(() => {});
    await this.load();
    const name = ruled ? "key_added_ruled" : "key_added";
    const button = [say("undo"), () => this.undo()];
    notify(say(name, { form: entry.form, n: count(ruled) }), { kind: "good", button });
  }

  async takeBack(entry) {
    const reply = await this.ask(() => post(`/api/key/forms/${entry.id}/take-back`, {}));
    if (!reply) return;
    await this.load();
    notify(say("form_back", { form: entry.form, n: count(reply.changed) }), { kind: "good" });
  }

  async undo() {
    if (this.busy) return;
    const reply = await this.ask(() => post("/api/disputes/undo", {}));
    if (!reply) return;
    const { undone } = reply;
    if (!undone) {
      notify(say("nothing_to_undo"));
      return;
    }
    await this.load();
    const index = this.cards.findIndex(({ question }) => placeOf(question) === placeOf(undone));
    if (index >= 0) this.choose(index);
    const words = undone.form ? say("form_back", { form: undone.form, n: count(undone.changed) }) : say("ruling_back", { n: count(undone.changed) });
    notify(words, { kind: "good" });
  }

  /** Send something; null if that failed, which has been said then. */
  async ask(send) {
    if (this.busy) return null;
    this.busy = true;
    try {
      return await send();
    } catch (error) {
      this.fail(error, null);
      return null;
    } finally {
      this.busy = false;
    }
  }

  fail(error, again) {
    if (error instanceof Refused && error.status === 401) {
      const link = [say("sign_in"), "/sign-in?next=/disputes"];
      notify(say("sign_in_again"), { kind: "bad", link });
    } else if (error instanceof Refused && error.status === 409) {
      const button = [say("reload"), () => this.load()];
      notify(error.message, { hint: error.hint, kind: "warn", button });
    } else if (error instanceof Refused) {
      notify(error.message, { hint: error.hint, kind: "bad" });
    } else if (error instanceof Away) {
      notify(say("no_connection"), { kind: "bad", button: again ? [say("try_again"), again] : null });
    } else {
      throw error;
    }
  }

  // Others

  /** New counts: questions in which something has changed are loaded again. */
  async hear(counts) {
    const keyChanged = this.key !== null && this.key !== counts.key;
    const first = this.heard.size === 0;
    this.key = counts.key;
    const changed = [];
    for (const one of counts.questions) {
      const name = placeOf(one);
      const now = `${one.disputed} ${one.ruled} ${one.total}`;
      const before = this.heard.get(name);
      this.heard.set(name, now);
      const shown = this.questions.get(name);
      const known = shown ? shown.groups.reduce((sum, { answers }) => sum + answers.length, 0) : 0;
      const differs = first ? one.disputed !== known : before !== now && (one.disputed > 0 || known > 0);
      if (differs || (keyChanged && shown)) changed.push(one);
    }
    if (this.busy) return;
    for (const place of changed) await this.reload(place);
    if (keyChanged) {
      const all = await get("/api/disputes").catch(() => null);
      if (all) showForms(all.forms, (entry) => this.takeBack(entry));
    }
  }

  // The person

  listenToPerson() {
    document.addEventListener("keydown", (event) => this.onKey(event));
    document.addEventListener("keyup", (event) => {
      if (event.key === " " && this.isOurs(event)) event.preventDefault();
    });
    for (const button of document.querySelectorAll("button[data-action]")) {
      button.addEventListener("click", () => {
        this.actions[button.dataset.action]();
        if (!find("dialog[open]")) this.chosen?.element.focus({ preventScroll: true });
      });
    }
    this.list.addEventListener("click", (event) => this.onClick(event));
  }

  isOurs(event) {
    if (find("dialog[open]")) return false;
    const { target } = event;
    if (target.closest("input, textarea, select")) return false;
    const presses = event.key === "Enter" || event.key === " ";
    return !(presses && target.closest("a, button, summary"));
  }

  onKey(event) {
    if (!this.isOurs(event)) return;
    const action = this.byKey.get(keyName(event));
    if (!action) return;
    event.preventDefault();
    const moves = action.startsWith("group_") || action.startsWith("answer_");
    if (event.repeat && !moves) return;
    this.actions[action]();
  }

  onClick(event) {
    const card = event.target.closest("article.group");
    if (!card) return;
    const index = this.cards.findIndex(({ element }) => element === card);
    const tile = event.target.closest("li.shot");
    const at = tile ? [...card.querySelectorAll("li.shot")].indexOf(tile) : 0;
    const again = index === this.cursor && at === this.at;
    if (event.target.closest("summary, details")) return;
    this.choose(index, { scroll: false, at });
    const button = event.target.closest("[data-rule]");
    if (button) this.rule(button.dataset.rule);
    else if (event.target.closest("[data-act=to_key]")) this.toKey();
    else if (event.target.closest(".sign")) this.except();
    else if (event.target.closest(".crop") && again) this.lens.toggle(this.tile);
  }
}

/** True if a section belongs behind a question: `3-40` behind `3-20`; the final question comes last. */
function after(section, name) {
  const order = (place) => {
    const [theme, nominal] = place.split("-").map(Number);
    return theme === 0 ? Infinity : theme * 10000 + nominal;
  };
  return order(section) > order(name);
}

for (const kind of ["error", "unhandledrejection"]) {
  window.addEventListener(kind, (event) => {
    if (event.message?.startsWith("ResizeObserver")) return;
    const button = [say("reload"), () => location.reload()];
    notify(say("fault"), { kind: "bad", button });
  });
}

new Page().start();
