// What is recorded on the server: confirming, taking back, and saying what went wrong with it.

import { notify } from "./notices.js";
import { Away, Refused, post } from "../server.js";
import { count, find, placeOf, say } from "./shared.js";

export class Recorder {
  /** @param page The controller in `main.js`. */
  constructor(page) {
    this.page = page;
    /** True while the server is being asked. */
    this.busy = false;
    /** True if "back" was pressed meanwhile. */
    this.wanted = false;
  }

  /** Confirm the wall as it is marked, and go on to the next question with work left. */
  async confirm(event) {
    const { page } = this;
    if (event?.repeat || this.busy || find("#confirm").disabled) return;
    const undecided = page.marks.firstUndecided();
    if (undecided !== null) {
      page.goTo(page.view.indexOf(undecided));
      notify(say("needs_verdict"), { hint: say("needs_verdict_hint"), kind: "warn" });
      return;
    }
    const unseen = page.unseen().length;
    if (unseen > 0) {
      page.goToUnseen();
      this.sayUnseen(unseen);
      return;
    }
    const { theme, nominal, fingerprint } = page.wall;
    const body = { fingerprint, marks: page.marks.body() };
    page.setReady(false);
    this.busy = true;
    try {
      await page.sightings.send();
    } catch (error) {
      page.setReady(true);
      this.fail(error, () => this.confirm());
      this.free();
      return;
    }
    const reply = await this.ask(`/api/wall/${theme}/${nominal}/confirm`, body, () => this.confirm());
    if (!reply) {
      page.setReady(true);
      this.free();
      return;
    }
    page.keepDraft(true);
    const place = { theme, nominal };
    const next = reply.next ?? place;
    if (!(await this.open(next, { push: reply.next !== null }))) return;
    if (reply.next) notify(say(reply.entered ? "confirmed" : "unchanged", place), { kind: "good" });
    else this.sayAllDone(reply.left);
  }

  /** Take back the last mark; without any, what this juror confirmed last, on whichever question. */
  async undo(event) {
    const { page } = this;
    if (this.busy) return;
    if (page.marks.undo()) {
      page.afterChange();
      return;
    }
    // A key held down takes back marks, never what is recorded.
    if (event?.repeat) return;
    const reply = await this.ask("/api/undo", {}, () => this.undo());
    if (!reply?.undone) {
      if (reply) notify(say("nothing_to_undo"));
      this.free();
      return;
    }
    const elsewhere = reply.undone.theme === null;
    const { theme, nominal } = elsewhere ? page.wall : reply.undone;
    const here = page.wall.theme === theme && page.wall.nominal === nominal;
    if (!(await this.open({ theme, nominal }, { push: !here }))) return;
    const undone = theme ? say("undone", reply.undone) : say("undone_final");
    notify(elsewhere ? say("undone_elsewhere") : undone, { kind: "good" });
  }

  nextQuestion() {
    const next = this.page.wall.next;
    if (next) this.open(next, { push: true });
    else notify(say("no_next"), { link: [say("to_questions"), "/"] });
  }

  /** Load the question again and keep of the marks what still fits. */
  reload() {
    const { wall, marks } = this.page;
    return this.open(wall, { carry: marks.dirty ? marks.save() : null });
  }

  /** Open a question; nothing else is done meanwhile. */
  async open({ theme, nominal }, options) {
    this.busy = true;
    try {
      return await this.page.open(theme, nominal, options);
    } finally {
      this.free();
    }
  }

  /**
   * Show the question of the address, which "back" has changed.
   *
   * While the server is being asked it waits: two questions that open at once could end with the address of
   * one above the answers to the other.
   */
  async goBack() {
    this.wanted = true;
    if (!this.busy) await this.free();
  }

  /** The server has answered. */
  async free() {
    this.busy = false;
    if (!this.wanted) return;
    this.wanted = false;
    const { wall } = this.page;
    const there = placeOf(location);
    if (wall && wall.theme === there.theme && wall.nominal === there.nominal) return;
    const shown = wall && `/wall/${wall.theme}/${wall.nominal}`;
    if (!(await this.open(there)) && shown && !this.wanted) history.replaceState(null, "", shown);
  }

  /** Send something; null if that failed, which has been said then. */
  async ask(path, body, again) {
    this.busy = true;
    try {
      return await post(path, body);
    } catch (error) {
      this.fail(error, again);
      return null;
    } finally {
      this.busy = false;
    }
  }

  sayUnseen(unseen) {
    notify(say("unseen_refused", { n: count(unseen) }), { hint: say("unseen_refused_hint"), kind: "warn" });
  }

  sayAllDone(left) {
    if (!this.page.wall.theme) {
      notify(say("final_confirmed"), { kind: "good", link: [say("to_final"), "/final"] });
      return;
    }
    const message = left ? say("no_next") : say("all_done");
    const link = [say("to_questions"), "/"];
    notify(message, { hint: left ? "" : say("all_done_hint"), kind: "good", link });
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
      notify(say("no_connection"), { hint: say("no_connection_hint"), kind: "away", button });
    } else {
      throw error;
    }
  }
}
