// The chief's page: every disputed answer, ruled once for all equal ones.

import { KeyDialog } from "../key/dialog.js";
import { Glances } from "../glances.js";
import { Haste } from "../haste.js";
import { listen } from "../live.js";
import { keyName } from "../wall/keyboard.js";
import { Lens } from "../wall/lens.js";
import { hush, notify } from "../wall/notices.js";
import { Away, Refused, get, post } from "../server.js";
import { count, find, say, shared } from "../wall/shared.js";
import { Cards, placeOf } from "./cards.js";
import { nextException, showExceptions, showForms } from "./view.js";

class Page {
  constructor() {
    this.busy = false;
    this.haste = new Haste(find("#list"));
    this.loading = true;
    /** By place what the counts said last. */
    this.heard = new Map();
    this.key = null;
    this.list = find("#list");
    this.lens = new Lens(find("#lens"));
    this.lens.follow(this.list);
    this.glances = new Glances(() => this.sayUnseen());
    this.cards = new Cards(this.list, this.glances, () => this.sayAll());
    this.dialog = new KeyDialog((added, ruled) => this.added(added, ruled));
    this.actions = {
      rule_right: () => this.rule("right"),
      rule_wrong: () => this.rule("wrong"),
      rule_blank: () => this.rule("blank"),
      exception: () => this.except(),
      to_key: () => this.toKey(),
      group_before: () => this.cards.choose(this.cards.cursor - 1),
      group_after: () => this.cards.choose(this.cards.cursor + 1),
      answer_before: () => this.cards.stepAnswer(-1),
      answer_after: () => this.cards.stepAnswer(1),
      go_unseen: () => this.goUnseen(),
      enlarge: () => this.cards.tile && this.lens.toggle(this.cards.tile),
      around: () => this.around(),
      undo: () => this.undo(),
      show_keys: () => find("#help").showModal(),
      close: () => this.close(),
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

  /** All of it, question after question: the first ones can be ruled on while the others come. */
  async load() {
    this.loading = true;
    try {
      const all = await get("/api/disputes/places");
      this.showForms(all.forms);
      this.cards.keepOnly(new Set(all.places.map(placeOf)));
      for (const { theme, nominal } of all.places) {
        this.cards.put(await get(`/api/disputes/${theme}/${nominal}`));
      }
    } catch (error) {
      this.fail(error, () => this.load());
    }
    this.loading = false;
    this.sayAll();
  }

  /** One question, and the forms; what the chief has set on it stays. */
  async reload({ theme, nominal }, { forms = false } = {}) {
    try {
      this.cards.put(await get(`/api/disputes/${theme}/${nominal}`));
      if (forms) this.showForms((await get("/api/disputes/places")).forms);
    } catch (error) {
      this.fail(error, () => this.load());
    }
  }

  showForms(forms) {
    showForms(forms, (entry) => this.takeBack(entry));
  }

  sayAll() {
    const left = this.cards.count();
    const groups = this.cards.all.length;
    find("#left").textContent = left ? say("waiting", { n: count(left), groups: count(groups) }) : "";
    find("#nothing").hidden = left > 0 || this.loading;
    find(".bar-tools").classList.toggle("idle", left === 0);
    this.lens.keepOn(this.cards.tile);
    this.sayUnseen();
  }

  sayUnseen() {
    const left = this.cards.all.reduce((sum, card) => sum + this.cards.unseen(card).length, 0);
    find("#unseen").hidden = left === 0;
    find("#unseen").textContent = say("unseen", { n: count(left) });
  }

  // Looking

  goUnseen() {
    const card = this.cards.all.find((one) => this.cards.unseen(one).length > 0);
    if (card) this.cards.show(card, this.cards.unseen(card)[0]);
    else notify(say("all_seen"));
  }

  around() {
    const { chosen, at } = this.cards;
    if (!chosen) return;
    const picture = find("#around-picture");
    picture.src = chosen.group.answers[at].around;
    picture.alt = say("place_on_page");
    find("#around").showModal();
  }

  close() {
    this.lens.close();
    hush();
  }

  // Ruling

  /** The chosen answer gets another verdict than its group, or stays disputed. */
  except() {
    const { chosen, tile } = this.cards;
    if (!tile || chosen.group.answers.length === 1) return;
    const exceptions = this.cards.exceptionsOf(chosen.question);
    const { sheet } = tile.dataset;
    const next = nextException(exceptions.get(sheet));
    if (next) exceptions.set(sheet, next);
    else exceptions.delete(sheet);
    showExceptions(chosen.element, chosen.group, exceptions);
    this.sayUnseen();
  }

  /** True if every answer of the chosen group was in view; if not, go to the first that was not. */
  allSeen() {
    const { chosen } = this.cards;
    const unseen = this.cards.unseen(chosen);
    if (unseen.length === 0) return true;
    this.cards.show(chosen, unseen[0]);
    notify(say("unseen_refused", { n: count(unseen.length) }), { hint: say("unseen_refused_hint"), kind: "warn" });
    return false;
  }

  async rule(verdict) {
    const { chosen } = this.cards;
    if (!chosen || this.busy || this.haste.tooSoon || !this.allSeen()) return;
    const { question, group } = chosen;
    const exceptions = this.cards.exceptionsOf(question);
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
    this.busy = true;
    await this.reload(question);
    this.busy = false;
    this.haste.changed();
    notify(say("ruled", { verdict: say(verdict), n: count(sheets.length) }), { kind: "good", button: this.undoButton() });
  }

  async toKey() {
    const { chosen } = this.cards;
    if (!chosen || this.busy || !this.allSeen()) return;
    const { question, group } = chosen;
    // The server must know what was seen before it is ruled on in the dialog.
    const sent = await this.ask(() => this.glances.send().then(() => true));
    if (!sent) return;
    this.lens.close();
    const text = group.proposed[0] ?? group.reading;
    const exceptions = this.cards.exceptionsOf(question);
    this.dialog.open(question, { text, answers: group.answers, exceptions });
  }

  async added(entry, ruled) {
    await this.reload(entry, { forms: true });
    const name = ruled ? "key_added_ruled" : "key_added";
    notify(say(name, { form: entry.form, n: count(ruled) }), { kind: "good", button: this.undoButton() });
  }

  async takeBack(entry) {
    const reply = await this.ask(() => post(`/api/key/forms/${entry.id}/take-back`, {}));
    if (!reply) return;
    await this.reload(entry, { forms: true });
    notify(say("form_back", { form: entry.form, n: count(reply.changed) }), { kind: "good" });
  }

  undoButton() {
    return [say("undo"), () => this.undo()];
  }

  async undo() {
    const reply = await this.ask(() => post("/api/disputes/undo", {}));
    if (!reply) return;
    const { undone } = reply;
    if (!undone) {
      notify(say("nothing_to_undo"));
      return;
    }
    await this.reload(undone, { forms: undone.form !== null });
    const index = this.cards.all.findIndex(({ question }) => placeOf(question) === placeOf(undone));
    if (index >= 0) this.cards.choose(index);
    const words = undone.form
      ? say("form_back", { form: undone.form, n: count(undone.changed) })
      : say("ruling_back", { n: count(undone.changed) });
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
      notify(say("no_connection"), { kind: "away", button: again ? [say("try_again"), again] : null });
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
      const known = this.cards.count(name);
      const differs = first ? one.disputed !== known : before !== now && (one.disputed > 0 || known > 0);
      if (differs || (keyChanged && known > 0)) changed.push(one);
    }
    if (this.busy) return;
    for (const place of changed) await this.reload(place);
    if (!keyChanged) return;
    const all = await get("/api/disputes/places").catch(() => null);
    if (all) this.showForms(all.forms);
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
        if (!find("dialog[open]")) this.cards.chosen?.element.focus({ preventScroll: true });
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
    const element = event.target.closest("article.group");
    if (!element || event.target.closest("summary, details")) return;
    const index = this.cards.all.findIndex((card) => card.element === element);
    const tile = event.target.closest("li.shot");
    const at = tile ? [...element.querySelectorAll("li.shot")].indexOf(tile) : 0;
    const again = index === this.cards.cursor && at === this.cards.at;
    this.cards.choose(index, { scroll: false, at });
    const button = event.target.closest("[data-rule]");
    if (button) this.rule(button.dataset.rule);
    else if (event.target.closest("[data-act=to_key]")) this.toKey();
    else if (event.target.closest(".sign")) this.except();
    else if (event.target.closest(".crop") && again) this.lens.toggle(this.cards.tile);
  }
}

for (const kind of ["error", "unhandledrejection"]) {
  window.addEventListener(kind, (event) => {
    if (event.message?.startsWith("ResizeObserver")) return;
    const button = [say("reload"), () => location.reload()];
    notify(say("fault"), { kind: "bad", button });
  });
}

new Page().start();
