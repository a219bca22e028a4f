// The wall's controller: one question at a time, from opening it to its confirmation.

import { listen } from "../live.js";
import { ACTIONS, REPEATABLE } from "./actions.js";
import { draggable } from "./drag.js";
import * as draft from "./draft.js";
import { keyName } from "./keyboard.js";
import { Lens } from "./lens.js";
import { Marks } from "./marks.js";
import { hush, notify } from "./notices.js";
import { Away, Refused, get, post } from "./server.js";
import { count, find, say, shared } from "./shared.js";
import { View } from "./view.js";

// A wall can be confirmed only after it has been on the screen for a moment: a key pressed twice must not
// confirm the next one too.
const SETTLE_MS = 500;
const SIZES = { least: 1, most: 3 };

class Page {
  constructor() {
    this.view = new View();
    this.lens = new Lens(find("#lens"));
    this.lens.follow(find("#answers"));
    this.wall = null;
    this.marks = null;
    this.busy = false;
    this.settling = 0;
    this.actionByKey = new Map(
      shared.keys.flatMap((group) =>
        group.bindings.flatMap(({ action, keys }) => keys.map((key) => [key, action])),
      ),
    );
    this.resize(0);
    this.listenToPerson();
    listen((counts) => this.hear(counts));
  }

  // Opening

  /**
   * Open a question.
   * @param {{push?: boolean, carry?: object}} options `push`: an entry in the browser's history;
   *     `carry`: marks of an earlier state of this wall.
   */
  async open(theme, nominal, { push = false, carry = null } = {}) {
    let wall;
    this.setReady(false);
    try {
      wall = await get(`/api/wall/${theme}/${nominal}`);
    } catch (error) {
      this.fail(error, () => this.open(theme, nominal, { push, carry }));
      return false;
    }
    if (push) history.pushState(null, "", `/wall/${theme}/${nominal}`);
    this.wall = wall;
    this.changed = false;
    const found = draft.kept(wall.box);
    const same = found?.fingerprint === wall.fingerprint;
    this.marks = new Marks(wall, same ? found.saved : null);
    const stale = carry ?? (found && !same && !found.confirmed ? found.saved : null);
    if (stale) this.marks.carryOver(stale);
    hush();
    this.lens.close();
    this.view.build(wall);
    this.view.refresh(this.marks);
    this.sayPlace();
    if (stale && this.marks.dirty) notify(say("lost_marks"), { kind: "warn" });
    else if (same && this.marks.dirty && !found.confirmed) notify(say("kept_marks"));
    window.scrollTo(0, 0);
    const cursor = this.firstOpen(same ? found.cursor : "");
    this.view.choose(cursor, { scroll: cursor > 0 });
    if (this.marks.dirty) this.keepDraft();
    this.setReady(true);
    return true;
  }

  /** Where a juror begins: where they were, at what is new on a wall that was ruled on, at a dispute. */
  firstOpen(last) {
    const entries = [...this.wall.written, ...this.wall.blanks];
    const at = (test) => entries.findIndex(test);
    const kept = at((entry) => entry.sheet === last);
    if (kept >= 0) return kept;
    const fresh = at((entry) => !entry.ruling);
    if (fresh > 0 || (fresh === 0 && entries.some((entry) => entry.ruling))) return fresh;
    return shared.decides ? Math.max(0, at((entry) => entry.ruling === "disputed")) : 0;
  }

  sayPlace() {
    const { theme, nominal } = this.wall;
    document.title = `${say("document_title", this.wall)} · Otbor`;
    this.sayLeft(this.wall.left);
    const order = shared.order;
    const here = order.findIndex(([t, n]) => t === theme && n === nominal);
    for (const [id, step] of [["previous", -1], ["following", 1]]) {
      const [otherTheme, otherNominal] = order[(here + step + order.length) % order.length];
      find(`#${id}`).href = `/wall/${otherTheme}/${otherNominal}`;
    }
    const language = find(".language");
    const { lang } = language;
    language.href = `/wall/${theme}/${nominal}?lang=${lang}`;
  }

  sayLeft(left) {
    find("#left").textContent = say("left", { n: count(left) });
  }

  setReady(ready) {
    clearTimeout(this.settling);
    const button = find("#confirm");
    button.disabled = true;
    if (!ready || this.view.items.length === 0) return;
    this.settling = setTimeout(() => {
      button.disabled = this.busy || this.changed;
    }, SETTLE_MS);
  }

  // Marks

  /** Change the marks of the chosen answer. */
  onCursor(edit) {
    const tile = this.view.chosen;
    if (!tile) return;
    edit(tile.dataset.sheet);
    this.afterChange();
  }

  afterChange() {
    this.view.refresh(this.marks);
    this.keepDraft();
    this.lens.keepOn(this.view.chosen);
  }

  keepDraft(confirmed = false) {
    const cursor = this.view.chosen?.dataset.sheet ?? "";
    draft.keep(this.wall, this.marks, { cursor, confirmed });
  }

  markSame() {
    this.onCursor((sheet) => {
      if (this.marks.setSame(sheet) === 0) notify(say("no_equal"));
    });
  }

  /** Put the boundary before (0) or after (1) the chosen answer. */
  boundaryAtCursor(after) {
    const written = this.marks.written.length;
    this.marks.moveBoundary(Math.min(this.view.cursor + after, written));
    this.afterChange();
    this.view.chosen?.scrollIntoView({ block: "nearest" });
  }

  // Moving and looking

  goTo(index) {
    this.view.choose(index);
    this.lens.keepOn(this.view.chosen);
  }

  step(by) {
    this.goTo(this.view.cursor + by);
  }

  stepRow(direction) {
    const found = this.view.items.length ? this.view.inNextRow(direction) : -1;
    if (found >= 0) this.goTo(found);
    else if (direction < 0) window.scrollTo(0, 0);
  }

  goToBoundary() {
    this.goTo(Math.max(0, this.marks.boundary - 1));
    this.view.boundary.scrollIntoView({ block: "center" });
  }

  enlarge() {
    if (this.view.chosen) this.lens.toggle(this.view.chosen);
  }

  showAround() {
    const tile = this.view.chosen;
    if (!tile) return;
    const entry = this.view.entries.get(tile.dataset.sheet);
    const picture = find("#around-picture");
    picture.src = entry.around;
    picture.alt = `${say("place_on_page")}: ${this.view.describe(entry)}`;
    find("#around").showModal();
  }

  resize(by) {
    let stored = 2;
    try {
      stored = Number(localStorage.getItem("otbor:size")) || 2;
    } catch {
      // A forbidden store: the middle size.
    }
    const size = Math.max(SIZES.least, Math.min(SIZES.most, stored + by));
    find("#answers").dataset.size = size;
    try {
      localStorage.setItem("otbor:size", size);
    } catch {
      // As above.
    }
    this.view.chosen?.scrollIntoView({ block: "nearest" });
  }

  showKeys() {
    find("#help").showModal();
  }

  close() {
    this.lens.close();
    hush();
  }

  // Recording

  async confirm(event) {
    if (event?.repeat || this.busy || find("#confirm").disabled) return;
    const undecided = this.marks.firstUndecided();
    if (undecided !== null) {
      this.goTo(this.view.indexOf(undecided));
      notify(say("needs_verdict"), { hint: say("needs_verdict_hint"), kind: "warn" });
      return;
    }
    const { theme, nominal, fingerprint } = this.wall;
    this.busy = true;
    this.setReady(false);
    let reply;
    try {
      const body = { fingerprint, marks: this.marks.body() };
      reply = await post(`/api/wall/${theme}/${nominal}/confirm`, body);
    } catch (error) {
      this.busy = false;
      this.setReady(true);
      this.fail(error, () => this.confirm());
      return;
    }
    this.keepDraft(true);
    this.busy = false;
    const place = { theme, nominal };
    const message = say(reply.entered ? "confirmed" : "unchanged", place);
    const next = reply.next ?? place;
    await this.open(next.theme, next.nominal, { push: reply.next !== null });
    if (reply.next) notify(message, { kind: "good" });
    else this.sayAllDone(reply.left);
  }

  sayAllDone(left) {
    const message = left ? say("no_next") : say("all_done");
    const link = [say("to_questions"), "/"];
    notify(message, { hint: left ? "" : say("all_done_hint"), kind: "good", link });
  }

  async undo(event) {
    if (this.busy) return;
    if (this.marks?.undo()) {
      this.afterChange();
      return;
    }
    // A key held down takes back marks, never what is recorded.
    if (event?.repeat) return;
    this.busy = true;
    let reply;
    try {
      reply = await post("/api/undo", {});
    } catch (error) {
      this.fail(error, () => this.undo());
      return;
    } finally {
      this.busy = false;
    }
    if (!reply.undone) {
      notify(say("nothing_to_undo"));
      return;
    }
    const { theme, nominal } = reply.undone;
    const here = this.wall.theme === theme && this.wall.nominal === nominal;
    await this.open(theme ?? this.wall.theme, nominal ?? this.wall.nominal, { push: theme && !here });
    notify(theme ? say("undone", reply.undone) : say("undone_elsewhere"), { kind: "good" });
  }

  nextQuestion() {
    if (this.wall?.next) this.open(this.wall.next.theme, this.wall.next.nominal, { push: true });
    else notify(say("no_next"), { link: [say("to_questions"), "/"] });
  }

  /** Load the question again and keep of the marks what still fits. */
  reload() {
    const { theme, nominal } = this.wall;
    return this.open(theme, nominal, { carry: this.marks.dirty ? this.marks.save() : null });
  }

  /** Say what went wrong and offer the way on; marks are never lost by it. */
  fail(error, again) {
    if (error instanceof Refused && error.status === 401) {
      const back = encodeURIComponent(location.pathname);
      const link = [say("sign_in"), `/sign-in?next=${back}`];
      notify(say("sign_in_again"), { hint: say("sign_in_again_hint"), kind: "bad", link });
    } else if (error instanceof Refused && error.status === 409) {
      const button = [say("reload"), () => this.reload()];
      notify(error.message, { hint: error.hint, kind: "warn", button });
    } else if (error instanceof Refused) {
      notify(error.message, { hint: error.hint, kind: "bad" });
    } else if (error instanceof Away) {
      const button = again ? [say("try_again"), again] : null;
      notify(say("no_connection"), { hint: say("no_connection_hint"), kind: "bad", button });
    } else {
      throw error;
    }
  }

  // Others

  /** New counts from the server: somebody may have changed this very question. */
  async hear(counts) {
    this.sayLeft(counts.left);
    if (!this.wall || this.busy || this.changed) return;
    const { theme, nominal, progress, fingerprint } = this.wall;
    const now = counts.questions.find((one) => one.theme === theme && one.nominal === nominal);
    const same = ["written", "blank", "ruled", "disputed"].every((key) => now[key] === progress[key]);
    if (same) return;
    // The counts may be older than the wall: only its own fingerprint tells.
    const fresh = await get(`/api/wall/${theme}/${nominal}`).catch(() => null);
    const still = this.wall.fingerprint === fingerprint && !this.busy;
    if (!fresh || !still || fresh.fingerprint === fingerprint) return;
    this.changed = true;
    find("#confirm").disabled = true;
    const button = [say("reload"), () => this.reload()];
    notify(say("changed_elsewhere"), { hint: say("changed_elsewhere_hint"), kind: "warn", button });
  }

  // The person

  act(action, event) {
    if (this.marks) ACTIONS[action](this, event);
  }

  listenToPerson() {
    document.addEventListener("keydown", (event) => this.onKey(event));
    // A space let go would press the focused button.
    document.addEventListener("keyup", (event) => {
      if (event.key === " " && this.isOurs(event)) event.preventDefault();
    });
    for (const button of document.querySelectorAll("button[data-action]")) {
      button.addEventListener("click", (event) => {
        this.act(button.dataset.action, event);
        // The keyboard stays with the answers.
        if (!find("dialog[open]")) this.view.chosen?.querySelector(".crop").focus({ preventScroll: true });
      });
    }
    find("#answers").addEventListener("click", (event) => this.onTile(event));
    for (const id of ["previous", "following"]) {
      find(`#${id}`).addEventListener("click", (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        const [, , theme, nominal] = new URL(event.currentTarget.href).pathname.split("/");
        this.open(Number(theme), Number(nominal), { push: true });
      });
    }
    window.addEventListener("popstate", () => {
      const [, , theme, nominal] = location.pathname.split("/");
      this.open(Number(theme), Number(nominal));
    });
    draggable(find("#written"), (boundary) => {
      this.marks.moveBoundary(boundary);
      this.afterChange();
    });
    const measure = new ResizeObserver(() => {
      const { style } = document.documentElement;
      style.setProperty("--key-height", `${find("#key").offsetHeight}px`);
      style.setProperty("--bar-height", `${find(".bar").offsetHeight}px`);
    });
    measure.observe(find("#key"));
    measure.observe(find(".bar"));
  }

  /** True for a key press that is meant for the wall rather than for a button or a dialog. */
  isOurs(event) {
    if (find("dialog[open]")) return false;
    const { target } = event;
    if (target.closest("input, textarea, select")) return false;
    const presses = event.key === "Enter" || event.key === " ";
    return !(presses && target.closest("a, button") && !target.closest("#answers, #confirm"));
  }

  onKey(event) {
    if (!this.isOurs(event)) return;
    const action = this.actionByKey.get(keyName(event));
    if (!action) return;
    event.preventDefault();
    if (event.repeat && !REPEATABLE.has(action) && action !== "undo") return;
    this.act(action, event);
  }

  onTile(event) {
    const tile = event.target.closest("li[data-sheet]");
    if (!tile) return;
    const index = this.view.items.indexOf(tile);
    const again = index === this.view.cursor;
    const blank = tile.classList.contains("blank-box");
    this.view.choose(index, { scroll: false });
    if (event.target.closest(".sign")) this.onCursor((sheet) => this.marks.flip(sheet));
    else if (blank) this.onCursor((sheet) => this.marks.turn(sheet));
    else if (again) this.enlarge();
    else this.lens.keepOn(tile);
  }
}

for (const kind of ["error", "unhandledrejection"]) {
  window.addEventListener(kind, () => {
    const button = [say("reload"), () => location.reload()];
    notify(say("fault"), { hint: say("fault_hint"), kind: "bad", button });
  });
}

const page = new Page();
page.open(shared.theme, shared.nominal);
