// The page of the final: loads a category, shows it, sends what is entered.

import { listen } from "../live.js";
import { hush, notify } from "../wall/notices.js";
import { Away, Refused, follow, get, post } from "../server.js";
import { count, find, say, shared } from "../wall/shared.js";
import { Looks } from "./looks.js";
import { make } from "../make.js";
import { showResult } from "./result.js";
import { Stakes } from "./stakes.js";

const category = encodeURIComponent(shared.category);

class Page {
  constructor() {
    this.busy = false;
    this.stakes = new Stakes(find("#stakes"), this);
    this.looks = new Looks(find("#stakes"), () => this.saySure());
    find("#confirm-sure").onclick = () => this.confirmSure();
    find("#undo").onclick = () => this.undo();
    listen(() => this.load({ by: follow }));
  }

  /** Load what is new; what somebody is typing stays. */
  async load({ by = get } = {}) {
    if (this.busy) return;
    const data = await by(`/api/final?category=${category}`).catch((error) => this.fail(error));
    if (data && !this.busy) this.show(data);
  }

  show(data) {
    const opening = find("#opening");
    opening.hidden = !data.opening;
    opening.textContent = data.opening;
    this.stakes.show(data);
    this.looks.watch(data.stakes);
    const all = data.stakes.filter((line) => line.may_stake).length;
    const left = { n: count(data.open), all: count(all) };
    let state = say(data.open ? "stakes_left" : "stakes_done", left);
    if (!data.stakes.length) state = say("stakes_none");
    // A final that is not played needs no stakes.
    find("#stakes").hidden = Boolean(data.opening);
    if (data.opening) state = say("stakes_unneeded");
    find("#stakes-state").textContent = state;
    const { count: missing, names } = data.without_sheet;
    const without = find("#without");
    without.hidden = missing === 0;
    const named = names.length && names.length <= 20 ? ` ${names.join(", ")}.` : "";
    without.textContent = say("without_sheet", { n: count(missing) }) + named;
    if (shared.decides && data.stakes.length && data.without_sheet.unsettled) {
      const button = make("button", { type: "button" }, say("nothing"));
      button.onclick = () => this.sayNothing();
      without.append(" ", button);
    }
    this.sayAnswers(data.answers);
    if (data.result) showResult(data.result, (number) => this.rule(number, 0));
    this.saySure();
  }

  sayAnswers(answers) {
    if (!answers) return;
    const values = { n: count(answers.left), all: count(answers.total) };
    const parts = [say(answers.left ? "answers_left" : "answers_done", values)];
    if (answers.disputed) parts.push(say("answers_disputed", { n: count(answers.disputed) }));
    find("#answers-state").textContent = answers.total ? parts.join(" · ") : "";
  }

  saySure() {
    const sure = find("#stakes").hidden ? [] : this.stakes.sure();
    const button = find("#confirm-sure");
    button.hidden = sure.length === 0;
    button.textContent = say("confirm_sure", { n: count(sure.length) });
  }

  /** Enter some stakes, given as lines with what is typed of each; true if they are recorded. */
  async enter(given) {
    const [{ line: only }] = given;
    // A quick hand on a card that has just come into view: the moment is waited for.
    if (given.length === 1 && !this.looks.saw(only.page)) await this.looks.until(only.page);
    const unseen = given.find(({ line }) => !this.looks.saw(line.page));
    if (unseen) {
      this.stakes.card(unseen.line.number).scrollIntoView({ block: "center" });
      notify(say("unseen"), { hint: say("unseen_hint"), kind: "warn" });
      return false;
    }
    const stakes = given.map(({ line, text }) => {
      return { number: line.number, text, page: line.page, entered: line.entered };
    });
    const reply = await this.ask(async () => {
      await this.looks.send();
      return post("/api/final/stakes", { category: shared.category, stakes });
    });
    if (!reply) return false;
    for (const { line } of given) this.stakes.settle(line.number);
    this.show(reply.final);
    notify(say("recorded", { n: count(reply.entered) }), { kind: "good" });
    return true;
  }

  confirmSure() {
    return this.enter(this.stakes.sure().map((line) => ({ line, text: line.text })));
  }

  /** The chief's word on a stake; null leaves it to the regulation. */
  async rule(number, stake) {
    const body = { category: shared.category, number, stake };
    const reply = await this.ask(() => post("/api/final/ruled", body));
    if (!reply) return;
    this.stakes.settle(number);
    this.show(reply.final);
    notify(say("recorded", { n: count(1) }), { kind: "good" });
  }

  /** Who has no scanned sheet has handed in nothing. */
  async sayNothing() {
    const reply = await this.ask(() => post(`/api/final/nothing?category=${category}`, {}));
    if (!reply) return;
    this.show(reply.final);
    notify(say("recorded", { n: count(reply.entered) }), { kind: "good" });
  }

  async undo() {
    const reply = await this.ask(() => post(`/api/final/undo?category=${category}`, {}));
    if (!reply) return;
    this.show(reply.final);
    const message = reply.undone ? say("undone", { n: count(reply.undone) }) : say("nothing_to_undo");
    notify(message, { kind: reply.undone ? "good" : "" });
  }

  /** What a stake would mean; null if that cannot be said now. */
  check(number, text) {
    const query = `category=${category}&number=${number}&text=${encodeURIComponent(text)}`;
    return get(`/api/final/check?${query}`).catch(() => null);
  }

  async ask(what) {
    if (this.busy) return null;
    this.busy = true;
    hush();
    try {
      return await what();
    } catch (error) {
      this.fail(error);
      return null;
    } finally {
      this.busy = false;
    }
  }

  /** Say what went wrong; what is typed stays. */
  fail(error) {
    if (error instanceof Refused && error.status === 401) {
      const back = encodeURIComponent(location.pathname + location.search);
      const link = [say("sign_in"), `/sign-in?next=${back}`];
      notify(say("sign_in_again"), { hint: say("sign_in_again_hint"), kind: "bad", link });
    } else if (error instanceof Refused) {
      const button = error.status === 409 ? [say("changed"), () => this.load()] : null;
      notify(error.message, { hint: error.hint, kind: "warn", button });
    } else if (error instanceof Away) {
      const button = [say("try_again"), () => this.load()];
      notify(say("no_connection"), { hint: say("no_connection_hint"), kind: "away", button });
    } else {
      throw error;
    }
  }
}

new Page().load();
