// The table as it stands on this phone: what the server said last, and on top of it what is still in the out-box.
makiyaku.Table = class {
  constructor(page, playbook) {
    this.key = page.key;
    this.players = page.players;
    this.planned = page.planned;
    this.playbook = playbook;
    this.now = page.now; // what the server said last
    this.items = []; // the out-box
  }

  isMine(item) { return item.table === this.key; }

  mine(kind) { return this.items.filter((item) => this.isMine(item) && item.kind === kind); }

  // What is unsent of this table, and after it what is of others, each table's together.
  unsent() { return [...this.unsentByTable().values()].flat(); }

  unsentByTable() {
    const found = new Map([[this.key, []]]);
    for (const item of this.items.filter(({ state }) => state !== "sent")) {
      if (!found.has(item.table)) found.set(item.table, []);
      found.get(item.table).push(item);
    }
    return found;
  }

  rounds() {
    const found = this.now.rounds.map((each) => ({ ...each }));
    for (const item of this.mine("round")) {
      const before = found[item.number - 1];
      if (item.seen < (before?.version ?? 0) || item.number > found.length + 1) continue;
      if (this.isRefused(item) && (before?.complete || this.isFinished(found))) continue; // what stands is what the server has
      found[item.number - 1] = this.fromOutbox(item);
    }
    for (const item of this.mine("accept")) {
      const round = found[item.number - 1];
      if (round?.version === item.seen && item.state !== "marked") round.accepting = item;
      if (round?.version === item.seen && item.state === "sent") round.accepted = true;
    }
    return found;
  }

  fromOutbox(item) {
    const { facts } = item.body;
    const said = item.state === "sent" ? item.answer : {};
    return { number: item.number, version: item.seen + 1, facts, complete: this.playbook.isComplete(facts), accepted: false, points: null, ...said, item };
  }

  complete(all = this.rounds()) { return all.filter((each) => each.complete); }

  // The last round that counts, if any.
  last(all = this.rounds()) { return this.complete(all).at(-1); }

  // The round to be taken down now: {number, seen, facts}.
  next(all = this.rounds()) {
    const last = all.at(-1);
    if (last && !last.complete) return { number: last.number, seen: last.version, facts: last.facts };
    return { number: all.length + 1, seen: 0, facts: null };
  }

  isFinished(all = this.rounds()) {
    if (this.planned && all.length >= this.planned) return all.at(-1).complete;
    if (this.playbook.isEnded(this.totals(Infinity, all), this.players)) return true;
    return this.now.next.finished && all.length === this.now.rounds.length;
  }

  // Who sits where, who deals and what is trump after the rounds before this one; nothing where nobody deals.
  stateBefore(number, facts = []) {
    if (this.playbook.kind !== "kankei") return null;
    const before = this.rounds().slice(0, number - 1).map((each) => each.facts);
    return this.playbook.stateAfter([...before, ...facts], this.players);
  }

  // What everybody has after the rounds up to this one; what the server did not take brings nothing.
  totals(number, all = this.rounds()) {
    const isCounted = (round) => round.number <= number && !this.isRefused(round.item ?? {});
    const counted = this.complete(all).filter(isCounted).map((round) => this.points(round));
    return Object.fromEntries(this.players.map((player) => [player, counted.reduce((sum, each) => sum + each[player], 0)]));
  }

  points(round) { return round.points ?? this.playbook.pointsOf(round.facts, this.players); }

  isWriter() {
    return this.now.you.is_writer !== false && !this.mine("round").some((item) => item.state === "marked" && item.code === "taken_over");
  }

  // Whether these facts cannot be, as the server found; a round that only came before its turn may still be taken.
  isRefused({ state, status, code }) { return state === "marked" && status === 422 && code !== "not_next"; }

  // What this phone says of a round and was not taken, if anything.
  marked(number) { return this.mine("round").find((item) => item.number === number && item.state === "marked"); }

  // What the desk has to decide, because it has other facts; and whether it has decided by now.
  isDisputed({ state, code, answer }) { return state === "marked" && code === "stale" && Boolean(answer?.stored); }
  disputed() { return this.mine("round").filter((item) => this.isDisputed(item)); }

  isSettled({ number, body }) {
    const { isSame } = makiyaku.Writing;
    const isOpen = this.now.disagreements.some((each) => each.round === number && isSame(each.facts, body.facts));
    return !isOpen || isSame(this.now.rounds[number - 1]?.facts, body.facts);
  }

  // What the desk decided or put right, asked by this phone, and nobody here has read yet.
  decided() { return this.items.filter((item) => this.isMine(item) && !item.isRead && (item.code === "settled" || this.isCorrected(item))); }

  // Whether this is a call about a round that the desk has put right since.
  isCorrected({ kind, about, seen, state }) {
    const round = this.now.rounds[about - 1];
    return kind === "call" && state === "sent" && Boolean(round?.by_desk) && round.version > seen;
  }

  // Whether this phone is the table's no longer: the event is over or removed, or the desk has closed the link.
  isEnded() { return !this.now.you.may_record || this.isRefusedAs(...makiyaku.Requests.ENDED); }

  // Whether that is because the event has been removed.
  isRemoved() { return this.now.you.ended === "event_removed" || this.isRefusedAs("event_removed"); }

  isRefusedAs(...codes) { return this.items.some((item) => this.isMine(item) && item.state === "marked" && codes.includes(item.code)); }

  // Whether this phone may correct a round: the table's own last one, until it is accepted; the server decides the same.
  mayCorrect(round) {
    const isOwn = this.now.you.may_correct || (!round.by_desk && this.rounds().length === round.number);
    return isOwn && !round.accepted && !round.accepting && this.isWriter() && !this.isEnded();
  }

  // The round this phone is asked to accept, if any.
  toAccept() {
    const last = this.last();
    if (!last || last.accepted || last.accepting || last.by_desk || this.isDoubted(last) || this.marked(last.number)) return null;
    const { accepting } = this.now.tournament;
    if (accepting === "same" && this.isWriter() && this.now.you.phone) return last;
    return accepting === "second" && !this.isWriter() ? last : null;
  }

  // Whether the table may put right by itself what it recorded last.
  mayCorrectLast(last = this.last()) {
    return Boolean(last && this.mayCorrect(last));
  }

  // Whether this phone has asked the desk to put this round right, and the desk has not been there yet.
  isDoubted(round) {
    const isOpen = (item) => item.state !== "sent" || this.now.calls?.some(({ id }) => id === item.answer.id);
    return this.mine("call").some((item) => item.about === round.number && item.seen === round.version && isOpen(item));
  }

  // Where calling the desk is by now: "waiting" on this phone, "open" there, or nothing.
  calling() {
    if (this.callsUnsent().length) return "waiting";
    return this.callsOpen().length ? "open" : "";
  }

  callsUnsent() { return this.mine("call").filter((item) => item.state !== "sent"); }

  callsOpen() {
    const done = this.mine("call").filter((item) => this.isCorrected(item)).map(({ answer }) => answer.id);
    return (this.now.calls ?? []).filter(({ id }) => !done.includes(id));
  }

  // What the desk is called for, in words.
  calledFor() { return [...this.callsUnsent().map(({ body }) => body), ...this.callsOpen()].map(({ words }) => words); }

  draftKey(round) { return `${this.key}/${round.number}/${round.seen}`; }
};
