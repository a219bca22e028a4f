// The wall's controller: one question at a time, from opening it to its confirmation.

import { listen } from "../live.js";
import { Claim } from "./claim.js";
import * as draft from "./draft.js";
import { KeyDialog } from "../key/dialog.js";
import { Lens } from "./lens.js";
import { Marks } from "./marks.js";
import { hush, notify } from "./notices.js";
import { Person } from "./person.js";
import { Recorder } from "./recording.js";
import { RemarkDialog } from "./remark.js";
import { Sightings } from "./sightings.js";
import { UNATTENDED, follow, get } from "../server.js";
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
    /** True once others have changed what is shown. */
    this.changed = false;
    this.recorder = new Recorder(this);
    this.claim = new Claim(() => this.sayClaim());
    this.sightings = new Sightings(this.view, () => this.sayUnseen());
    this.settling = 0;
    this.offer = null;
    this.remarks = new RemarkDialog();
    this.keyDialog = shared.decides ? new KeyDialog((added, ruled) => this.keyAdded(added, ruled)) : null;
    this.resize(0);
    new Person(this).listen();
    listen((counts) => this.hear(counts));
  }

  // Opening

  /**
   * Open a question.
   * @returns Whether it is open; if not, that has been said.
   * @param {{push?: boolean, carry?: object}} options `push`: an entry in the browser's history;
   *     `carry`: marks of an earlier state of this wall.
   */
  async open(theme, nominal, { push = false, carry = null } = {}) {
    let wall;
    this.setReady(false);
    try {
      // First the claim: what is loaded then can be changed by nobody else.
      await this.claim.ask({ theme, nominal });
      wall = await get(`/api/wall/${theme}/${nominal}`);
    } catch (error) {
      this.setReady(this.wall !== null);
      this.recorder.fail(error, () => this.recorder.open({ theme, nominal }, { push, carry }));
      return false;
    }
    const address = `/wall/${theme}/${nominal}`;
    if (push) history.pushState(null, "", address);
    // "Try again" after "back" had failed; not if "back" was pressed once more.
    else if (!this.recorder.wanted && location.pathname !== address) history.replaceState(null, "", address);
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
    this.sightings.watch(wall);
    this.sayPlace();
    this.sayUnseen();
    if (stale && this.marks.dirty) notify(say("lost_marks"), { kind: "warn" });
    else if (same && this.marks.dirty && !found.confirmed) notify(say("kept_marks"));
    this.sayClaim();
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
    // What is left to rule on of the written round.
    find("#left").hidden = !theme;
    const title = theme ? say("document_title", this.wall) : this.wall.title;
    document.title = `${title} · Otbor`;
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
    const parts = [say("left", { n: count(left) })];
    if (this.wall?.kept) parts.push(say("kept", { n: count(this.wall.kept) }));
    find("#left").textContent = parts.join(" · ");
  }

  /** Whether this juror may rule here, or only look. */
  sayClaim() {
    const { mine, name } = this.claim;
    document.body.classList.toggle("looking", !mine);
    this.setReady(this.wall !== null);
    if (mine) return;
    const next = this.wall?.next;
    let button = next ? [say("next_free"), () => this.recorder.nextQuestion()] : null;
    if (shared.decides) button = [say("take_over"), () => this.takeOver()];
    const hint = say(shared.decides ? "claimed_hint_chief" : "claimed_hint");
    notify(say("claimed", { name }), { hint, kind: "warn", button });
  }

  async takeOver() {
    const { theme, nominal } = this.wall;
    try {
      await this.claim.ask({ theme, nominal }, { take: true });
    } catch (error) {
      this.recorder.fail(error, () => this.takeOver());
      return;
    }
    await this.recorder.reload();
    notify(say("claim_mine"), { kind: "good" });
  }

  /** Answers that would get a new verdict and were not in view yet; the server refuses them too. */
  unseen() {
    return this.view.items
      .map((tile) => tile.dataset.sheet)
      .filter((sheet) => !this.sightings.saw(sheet))
      .filter((sheet) => this.view.entries.get(sheet).ruling !== this.marks.verdict(sheet));
  }

  sayUnseen() {
    const button = find("#unseen");
    const left = this.unseen().length;
    button.hidden = left === 0;
    button.textContent = say("unseen", { n: count(left) });
  }

  /** Go to the first answer that was not in view; false if there is none. */
  goToUnseen() {
    const [first] = this.unseen();
    if (first === undefined) return false;
    this.goTo(this.view.indexOf(first));
    this.view.chosen.scrollIntoView({ block: "center" });
    return true;
  }

  setReady(ready) {
    clearTimeout(this.settling);
    const button = find("#confirm");
    button.disabled = true;
    if (!ready || this.view.items.length === 0) return;
    this.settling = setTimeout(() => {
      button.disabled = this.recorder.busy || this.changed || !this.claim.mine;
    }, SETTLE_MS);
  }

  // Marks

  /** Change the marks of the chosen answer. */
  onCursor(edit) {
    const tile = this.view.chosen;
    if (!tile) return;
    edit(tile.dataset.sheet);
    this.afterChange();
    this.offerSame(tile.dataset.sheet);
    // A box of the strip grows when it becomes an answer.
    tile.scrollIntoView({ block: "nearest" });
  }

  /** A verdict on one answer is offered for all that read the same. */
  offerSame(sheet) {
    const n = this.marks.verdict(sheet) === "undecided" ? 0 : this.marks.differing(sheet);
    this.dropOffer();
    if (n === 0) return;
    const button = [`${say("same_for_all")} (E)`, () => this.sameAs(sheet)];
    this.offer = notify(say("offer_same", { n: count(n) }), { button });
  }

  /** Whoever goes on has declined; what has been said since stays. */
  dropOffer() {
    if (this.offer?.isConnected) hush();
    this.offer = null;
  }

  sameAs(sheet) {
    this.view.choose(this.view.indexOf(sheet), { scroll: false });
    this.markSame();
  }

  /** Words for the chief: the answer is disputed with them. */
  askRemark({ proposing = false } = {}) {
    const tile = this.view.chosen;
    if (!tile) return;
    const { sheet } = tile.dataset;
    const reading = proposing ? this.view.entries.get(sheet).text : null;
    const before = this.marks.remark(sheet) ?? { text: "", form: "" };
    const keep = (remark) => this.onCursor(() => this.marks.dispute(sheet, remark));
    this.remarks.open(before, keep, { reading });
  }

  /** The chief adds the chosen answer to the key, a juror proposes it. */
  toKey() {
    if (!this.keyDialog) {
      if (this.claim.mine) this.askRemark({ proposing: true });
      else this.sayClaim();
      return;
    }
    const tile = this.view.chosen;
    const entry = tile ? this.view.entries.get(tile.dataset.sheet) : null;
    const proposed = tile ? this.marks.remark(tile.dataset.sheet)?.form : "";
    this.lens.close();
    this.keyDialog.open(this.wall, { text: proposed || entry?.text || "" });
  }

  async keyAdded(added, ruled) {
    await this.recorder.reload();
    const name = ruled ? "key_added_ruled" : "key_added";
    const link = [say("to_disputes"), "/disputes"];
    notify(say(name, { form: added.form, n: count(ruled) }), { kind: "good", link });
  }

  afterChange() {
    this.view.refresh(this.marks);
    this.sayUnseen();
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
    this.dropOffer();
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

  // Others

  /** Somebody has left this question, or has taken it. */
  async hearClaim(present) {
    if (!this.wall || this.recorder.busy) return;
    const { theme, nominal } = this.wall;
    const holder = present[`${theme}-${nominal}`];
    const asKnown = this.claim.mine ? holder?.id === shared.account : holder;
    if (asKnown) return;
    // What was heard may be older than our claim: the server is asked, and never takes it by force.
    const before = this.claim.mine;
    await this.claim.ask({ theme, nominal }, { by: UNATTENDED }).catch(() => {});
    // Meanwhile this juror may have gone on to another question.
    if (this.recorder.busy || this.wall.theme !== theme || this.wall.nominal !== nominal) return;
    if (!before && this.claim.mine) {
      await this.recorder.reload();
      notify(say("claim_mine"), { kind: "good" });
    } else if (before && !this.claim.mine) {
      this.sayClaim();
    }
  }

  /** New counts from the server: somebody may have changed this very question. */
  async hear(counts) {
    this.sayLeft(counts.left);
    await this.hearClaim(counts.present);
    if (!this.wall || this.recorder.busy || this.changed) return;
    const { theme, nominal, progress, fingerprint } = this.wall;
    const now = counts.questions.find((one) => one.theme === theme && one.nominal === nominal);
    if (!now) return;
    const same = ["written", "blank", "ruled", "disputed"].every((key) => now[key] === progress[key]);
    if (same && counts.key === this.wall.key_version) return;
    // The counts may be older than the wall: only its own fingerprint tells.
    const fresh = await follow(`/api/wall/${theme}/${nominal}`).catch(() => null);
    const still = this.wall.fingerprint === fingerprint && !this.recorder.busy;
    if (!fresh || !still) return;
    if (fresh.fingerprint === fingerprint) {
      // Others ruled on what is not for this juror, or changed the key of another question.
      this.wall.progress = fresh.progress;
      this.wall.key_version = fresh.key_version;
      return;
    }
    this.changed = true;
    find("#confirm").disabled = true;
    const button = [say("reload"), () => this.recorder.reload()];
    notify(say("changed_elsewhere"), { hint: say("changed_elsewhere_hint"), kind: "warn", button });
  }
}

for (const kind of ["error", "unhandledrejection"]) {
  window.addEventListener(kind, (event) => {
    // Browsers report it as an error that a size changed twice in one frame.
    if (event.message?.startsWith("ResizeObserver")) return;
    const button = [say("reload"), () => location.reload()];
    notify(say("fault"), { hint: say("fault_hint"), kind: "bad", button });
  });
}

const page = new Page();
page.recorder.open(shared);
