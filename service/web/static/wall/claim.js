// This juror's hold on the question that is open: asked for, kept alive, given back.

import { UNATTENDED, post } from "../server.js";

// A claim lasts two minutes; a tablet may miss two of these.
const BEAT_MS = 30000;

function address({ theme, nominal }, what) {
  return `/api/wall/${theme}/${nominal}/${what}`;
}

export class Claim {
  /** @param {() => void} tell Called when the claim was lost while the page was open. */
  constructor(tell) {
    this.tell = tell;
    this.place = null;
    this.mine = false;
    this.name = "";
    this.asked = 0;
    setInterval(() => this.beat(), BEAT_MS);
    document.addEventListener("visibilitychange", () => this.beat());
    window.addEventListener("pagehide", () => this.leave());
    // A page that comes back from the browser's memory has left its question.
    window.addEventListener("pageshow", (event) => event.persisted && location.reload());
  }

  /**
   * Ask for a question; `mine` and `name` say who has it then.
   *
   * An answer that comes after a later question was asked for changes nothing: it would give that one up.
   * @param {{take?: boolean, by?: object}} options `take`: from whoever has it; `by`: headers.
   */
  async ask(place, { take = false, by = {} } = {}) {
    this.asked += 1;
    const { asked } = this;
    const answer = await post(address(place, "claim"), { take }, { headers: by });
    if (asked !== this.asked) return;
    // The question before is left only now: without an answer the page stays on it.
    const stays = this.place?.theme === place.theme && this.place?.nominal === place.nominal;
    if (!stays) this.leave();
    this.place = { theme: place.theme, nominal: place.nominal };
    this.mine = answer.mine;
    this.name = answer.name;
  }

  async beat() {
    if (!this.place || !this.mine || document.hidden) return;
    const { place } = this;
    // Without a connection the claim runs out; the next beat, or confirming, shows who has it.
    await this.ask(place, { by: UNATTENDED }).catch(() => {});
    if (this.place && !this.mine) this.tell();
  }

  leave() {
    if (this.place && this.mine) navigator.sendBeacon(address(this.place, "release"));
    this.place = null;
    this.mine = false;
  }
}
