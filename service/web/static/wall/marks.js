// What a juror has set on a wall: the boundary, exceptions, disputes. Knows neither page nor server.

/** @typedef {"right"|"wrong"|"disputed"|"blank"|"undecided"} Verdict */

const DECIDED = new Set(["right", "wrong"]);
const MOST_STEPS = 200;
const MOST_SAVED = 50;

export class Marks {
  /**
   * @param wall What `/api/wall/…` gives.
   * @param saved What `save()` gave for a wall with the same fingerprint, if anything.
   */
  constructor(wall, saved = null) {
    this.written = wall.written.map((entry) => entry.sheet);
    this.blanks = wall.blanks.map((entry) => entry.sheet);
    this.at = new Map(this.written.map((sheet, index) => [sheet, index]));
    this.groups = new Map(wall.written.map((entry) => [entry.sheet, entry.group]));
    /** Remarks that are recorded already. */
    this.recorded = wall.marks.remarks;
    if (saved) {
      this.state = saved.state;
      this.history = saved.history;
      return;
    }
    const { boundary, flipped, disputed, emptied, written_blanks, remarks } = wall.marks;
    const pinned = {};
    for (const sheet of flipped) pinned[sheet] = this.at.get(sheet) < boundary ? "wrong" : "right";
    this.state = { boundary, pinned, disputed, emptied, turned: written_blanks, remarks };
    this.history = [];
  }

  get boundary() {
    return this.state.boundary;
  }

  /** True if something was set here that is not recorded yet. */
  get dirty() {
    return this.history.length > 0;
  }

  /** The side of the boundary on which a written answer lies. */
  side(sheet) {
    return this.at.get(sheet) < this.state.boundary ? "right" : "wrong";
  }

  isWritten(sheet) {
    return this.at.has(sheet);
  }

  /** @returns {Verdict} */
  verdict(sheet) {
    const { pinned, disputed, emptied, turned } = this.state;
    if (!this.at.has(sheet)) return sheet in turned ? (turned[sheet] ?? "undecided") : "blank";
    if (emptied.includes(sheet)) return "blank";
    if (disputed.includes(sheet)) return "disputed";
    return pinned[sheet] ?? this.side(sheet);
  }

  /** What is said to the chief beside a disputed answer; null for all others. */
  remark(sheet) {
    if (this.verdict(sheet) !== "disputed") return null;
    return this.state.remarks[sheet] ?? { text: "", form: "" };
  }

  /** An answer is disputed, with these words for the chief. */
  dispute(sheet, remark) {
    this.change((state) => {
      if (!this.at.has(sheet)) state.turned[sheet] = "disputed";
      else if (!state.disputed.includes(sheet)) state.disputed.push(sheet);
      state.emptied = state.emptied.filter((other) => other !== sheet);
      if (remark.text || remark.form) state.remarks[sheet] = remark;
      else delete state.remarks[sheet];
    });
  }

  /** How many other answers have this one's reading and another verdict. */
  differing(sheet) {
    const group = this.groups.get(sheet);
    const verdict = this.verdict(sheet);
    return this.written.filter(
      (other) => group && this.groups.get(other) === group && this.verdict(other) !== verdict,
    ).length;
  }

  /** Right becomes wrong and wrong right; a box without an answer becomes one with an answer. */
  flip(sheet) {
    const now = this.verdict(sheet);
    if (now === "blank" && !this.at.has(sheet)) this.turn(sheet);
    else this.set(sheet, now === "right" ? "wrong" : "right", { onlyException: true });
  }

  /** Something is written in a box of the strip; what it is worth is to be said next. */
  turn(sheet) {
    this.change((state) => {
      state.turned[sheet] = null;
    });
  }

  /**
   * Give a verdict. «Disputed» and «blank» given twice are taken back.
   *
   * A verdict is pinned: a boundary that moves past it later leaves it as it is. With `onlyException` it
   * is so only where it contradicts the side, so that flipping twice leaves no trace.
   */
  set(sheet, verdict, { onlyException = false } = {}) {
    const again = this.verdict(sheet) === verdict && !DECIDED.has(verdict);
    this.change((state) => {
      if (!this.at.has(sheet)) {
        if (verdict === "blank" || again) delete state.turned[sheet];
        else state.turned[sheet] = verdict;
        return;
      }
      state.disputed = state.disputed.filter((other) => other !== sheet);
      state.emptied = state.emptied.filter((other) => other !== sheet);
      if (again) return;
      if (verdict === "disputed") state.disputed.push(sheet);
      else if (verdict === "blank") state.emptied.push(sheet);
      else if (onlyException && verdict === this.side(sheet)) delete state.pinned[sheet];
      else state.pinned[sheet] = verdict;
    });
  }

  /** How many other answers have this one's reading; they get its verdict. */
  setSame(sheet) {
    const group = this.groups.get(sheet);
    const same = this.written.filter((other) => group && this.groups.get(other) === group);
    const others = same.filter((other) => other !== sheet);
    const verdict = this.verdict(sheet);
    if (others.length === 0) return 0;
    this.change((state) => {
      for (const other of others) {
        state.disputed = state.disputed.filter((one) => one !== other);
        state.emptied = state.emptied.filter((one) => one !== other);
        if (verdict === "disputed") {
          state.disputed.push(other);
          if (state.remarks[sheet]) state.remarks[other] ??= state.remarks[sheet];
        } else if (verdict === "blank") state.emptied.push(other);
        else state.pinned[other] = verdict;
      }
    });
    return others.length;
  }

  /** Put the boundary so that `count` answers lie above it. */
  moveBoundary(count) {
    const bounded = Math.max(0, Math.min(this.written.length, count));
    this.change((state) => {
      state.boundary = bounded;
    });
  }

  /** Take back the last change here; false if there is none. */
  undo() {
    const before = this.history.pop();
    if (!before) return false;
    this.state = before;
    return true;
  }

  /** An answer that was marked as written and has no verdict, or null. */
  firstUndecided() {
    return this.blanks.find((sheet) => this.verdict(sheet) === "undecided") ?? null;
  }

  /** How many answers have each verdict. */
  counts() {
    const counts = { right: 0, wrong: 0, disputed: 0, blank: 0, undecided: 0 };
    for (const sheet of [...this.written, ...this.blanks]) counts[this.verdict(sheet)] += 1;
    return counts;
  }

  /** The marks as the server takes them. */
  body() {
    const { boundary, disputed, emptied, turned } = this.state;
    const off = this.written.filter((sheet) => {
      const verdict = this.verdict(sheet);
      return DECIDED.has(verdict) && verdict !== this.side(sheet);
    });
    const remarks = {};
    for (const sheet of [...this.written, ...this.blanks]) {
      const now = this.remark(sheet);
      const before = this.recorded[sheet] ?? { text: "", form: "" };
      if (now && (now.text !== before.text || now.form !== before.form)) remarks[sheet] = now;
    }
    return { boundary, flipped: off, disputed, emptied, written_blanks: turned, remarks };
  }

  /** The marks as plain data, with the latest steps of undo. */
  save() {
    const history = this.history.slice(-MOST_SAVED);
    return { state: this.state, history, written: this.written };
  }

  /**
   * Take over from marks on an earlier state of this wall what still fits.
   * @param saved What `save()` gave then.
   */
  carryOver(saved) {
    const { state, written } = saved;
    const above = new Set(written.slice(0, state.boundary));
    this.change((now) => {
      let boundary = 0;
      this.written.forEach((sheet, index) => {
        if (above.has(sheet)) boundary = index + 1;
      });
      if (state.boundary > 0 || this.written.length === 0) now.boundary = boundary;
      for (const [sheet, verdict] of Object.entries(state.pinned)) {
        if (this.at.has(sheet)) now.pinned[sheet] = verdict;
      }
      now.disputed = [...new Set([...now.disputed, ...state.disputed.filter((s) => this.at.has(s))])];
      now.emptied = [...new Set([...now.emptied, ...state.emptied.filter((s) => this.at.has(s))])];
      for (const [sheet, verdict] of Object.entries(state.turned)) {
        if (this.blanks.includes(sheet)) now.turned[sheet] = verdict;
      }
      Object.assign(now.remarks, state.remarks);
    });
  }

  /** Change the state and remember how it was, unless nothing changes. */
  change(edit) {
    const next = structuredClone(this.state);
    edit(next);
    if (JSON.stringify(next) === JSON.stringify(this.state)) return;
    this.history.push(this.state);
    if (this.history.length > MOST_STEPS) this.history.shift();
    this.state = next;
  }
}
