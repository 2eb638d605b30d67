// The table's state on this phone: the server's last response, with the out-box applied to it.
makiyaku.Table = class {
  constructor(page, playbook) {
    this.key = page.table_key;
    this.players = page.players;
    this.playbook = playbook;
    this.plan = makiyaku.Table.plan(page.state); // for which the playbook was made
    this.before = page.before; // what others have played at the table
    this.server = page.state; // the table's state as the server last sent it
    this.heardAt = 0; // when, in ms; 0 for the page itself, which may come from a cache
    this.items = []; // the out-box
  }

  // The server has sent the table's state.
  hear(state) {
    this.server = state;
    this.heardAt = Date.now();
  }

  // How many rounds are planned: the last trump may depend on it.
  static plan({ rounds_planned: planned, rounds_of_table: ofTable }) { return JSON.stringify([planned, ofTable]); }

  // Whether the desk has planned another number of rounds than the playbook was made for.
  isPlannedAnew() { return makiyaku.Table.plan(this.server) !== this.plan; }

  // Go on with the playbook of this newer page.
  renew({ playbook, state }) {
    Object.assign(this.playbook, playbook); // the parts of the page have this object
    this.plan = makiyaku.Table.plan(state);
  }

  isOfThisTable(item) { return item.table === this.key; }

  ownItems(kind) { return this.items.filter((item) => this.isOfThisTable(item) && item.kind === kind); }

  sentItems() { return this.items.filter((item) => this.isOfThisTable(item) && item.state === "sent"); }

  // The unsent items, those of this table first, then grouped by table.
  unsent() { return [...this.unsentByTable().values()].flat(); }

  unsentByTable() {
    const found = new Map([[this.key, []]]);
    for (const item of this.items.filter(({ state }) => state !== "sent")) {
      if (!found.has(item.table)) found.set(item.table, []);
      found.get(item.table).push(item);
    }
    return found;
  }

  // The server's rounds: of the table's state, or of a newer answer about a disputed round.
  serverRounds() {
    const found = this.server.rounds.map((each) => ({ ...each }));
    for (const { number, triedAt, answer: { stored } } of this.disputedItems()) {
      const isNewer = stored && triedAt > this.heardAt && stored.version > (found[number - 1]?.version ?? 0);
      if (isNewer && number <= found.length + 1) found[number - 1] = { ...stored };
    }
    return found;
  }

  rounds() {
    const found = this.serverRounds();
    for (const item of this.ownItems("round")) {
      const before = found[item.number - 1];
      if (item.seen < (before?.version ?? 0) || item.number > found.length + 1) continue;
      if (item.state === "sent" && !item.answer) continue; // the desk has decided against it
      if (this.isRefused(item) && (before?.complete || this.isFinished(found))) continue; // the server's facts count
      found[item.number - 1] = this.fromOutbox(item);
    }
    for (const item of this.ownItems("accept")) {
      const round = found[item.number - 1];
      if (round?.version === item.seen && item.state !== "marked") round.accepting = item;
      if (round?.version === item.seen && item.state === "sent") round.accepted = true;
    }
    return found;
  }

  fromOutbox(item) {
    const { facts } = item.body;
    const answer = item.state === "sent" ? item.answer : {};
    return { number: item.number, version: item.seen + 1, facts, complete: this.playbook.isComplete(facts), accepted: false, points: null, ...answer, item };
  }

  completeRounds(all = this.rounds()) { return all.filter((each) => each.complete); }

  // The last complete round, if any.
  lastComplete(all = this.rounds()) { return this.completeRounds(all).at(-1); }

  // The round to be recorded now: {number, seen, facts}.
  next(all = this.rounds()) {
    const last = all.at(-1);
    if (last && !last.complete) return { number: last.number, seen: last.version, facts: last.facts };
    return { number: all.length + 1, seen: 0, facts: null };
  }

  // Whether rounds of this table are only on this phone.
  hasUnsentRound() { return this.ownItems("round").some(({ state }) => state !== "sent"); }

  isFinished(all = this.rounds()) {
    const { rounds_planned: planned } = this.server;
    if (planned && all.length >= planned) return all.at(-1).complete;
    if (this.playbook.isEnded(this.ownTotals(all), this.players, this.before.ending)) return true;
    return this.server.next.finished && all.length === this.server.rounds.length;
  }

  // Seats, dealer and trump before this round; null in games without a dealer.
  stateBefore(number, facts = []) {
    if (this.playbook.kind !== "kankei") return null;
    const before = this.rounds().slice(0, number - 1).map((each) => each.facts);
    return this.playbook.stateAfter([...before, ...facts], this.players, this.before.opener);
  }

  // Each player's total at the table, with the rounds that others played before some of them joined.
  totals(all = this.rounds()) {
    const totals = this.ownTotals(all);
    for (const points of this.before.points) Object.keys(points).forEach((player) => { totals[player] += points[player]; });
    return totals;
  }

  // Each player's total of these players' rounds: the server's, and what the rounds here change of it; refused rounds bring
  // nothing.
  ownTotals(all) {
    const totals = { ...this.server.totals };
    const add = (round, factor) => Object.entries(this.points(round)).forEach(([player, points]) => { totals[player] += factor * points; });
    this.completeRounds(this.server.rounds).forEach((round) => add(round, -1));
    this.completeRounds(all).filter(({ item }) => !this.isRefused(item ?? {})).forEach((round) => add(round, 1));
    return totals;
  }

  // Who wins or loses together, by points: {players, points, place}. Equals share a place.
  places() {
    const totals = this.totals();
    const sides = this.playbook.sides?.map((seats) => seats.map((seat) => this.players[seat])) ?? this.players.map((player) => [player]);
    const sums = sides.map((players) => ({ players, points: players.reduce((sum, player) => sum + totals[player], 0) }));
    const placed = sums.map((side) => ({ ...side, place: 1 + sums.filter(({ points }) => points > side.points).length }));
    return placed.sort((one, other) => one.place - other.place);
  }

  points(round) { return round.points ?? this.playbook.pointsOf(round.facts, this.players); }

  isWriter() {
    return this.server.you.is_writer !== false && !this.ownItems("round").some((item) => item.state === "marked" && item.code === "taken_over");
  }

  // Whether the server found these facts invalid, or takes none any more; a round that only came before its turn may still be
  // stored.
  isRefused({ state, status, code, isForeign }) {
    return state === "marked" && !isForeign && (makiyaku.Requests.ENDED.includes(code) || (status === 422 && code !== "not_next"));
  }

  // This phone's refused version of a round, if any.
  markedItem(number) { return this.ownItems("round").find((item) => item.number === number && item.state === "marked"); }

  // This phone's version of a round that is not at the server, if any.
  unsentItem(number) { return this.markedItem(number) ?? this.ownItems("round").find((item) => item.number === number && item.state === "waiting"); }

  // The version of a round that others have recorded since a phone saw version `seen`, if any.
  versionAfter({ number, seen }) {
    const stored = this.serverRounds()[number - 1];
    return stored?.version > seen ? stored : null;
  }

  // The rounds of which the server has other facts, so that the desk has to decide; and whether it has.
  isDisputed({ state, code, answer }) { return state === "marked" && (code === "after_change" || (code === "stale" && Boolean(answer?.stored))); }
  disputedItems() { return this.ownItems("round").filter((item) => this.isDisputed(item)); }

  isSettled({ number, body }) {
    const { isSame } = makiyaku.RoundEditor;
    const isOpen = this.server.disagreements.some((each) => each.round === number && isSame(each.facts, body.facts));
    return !isOpen || isSame(this.server.rounds[number - 1]?.facts, body.facts);
  }

  // The desk's decisions and corrections for this phone that are unread.
  decidedItems() { return this.items.filter((item) => this.isOfThisTable(item) && !item.isRead && (item.code === "settled" || this.isCorrected(item))); }

  // Whether this is a call about a round that the desk has corrected since.
  isCorrected({ kind, about, seen, state }) {
    const round = this.server.rounds[about - 1];
    return kind === "call" && state === "sent" && Boolean(round?.by_desk) && round.version > seen;
  }

  // Whether this phone can no longer record: the event is over or removed, or the desk has closed the link.
  isEnded() { return !this.server.you.may_record || this.isRefusedAs(...makiyaku.Requests.ENDED); }

  // The server has answered so: this phone can no longer record.
  end(code) { this.server.you = { ...this.server.you, may_record: false, ended: code }; }

  // Whether nothing more is recorded here: this phone has ended for good, and the server knows it.
  isOver() { return this.isEnded() && !this.isUnknown(); }

  // Whether the server does not know this phone: it goes on from a copy that was made before.
  isUnknown() { return !this.server.you.is_known || makiyaku.Comparison.UNKNOWN.includes(this.server.you.ended); }

  // Whether that is because the event has been removed.
  isRemoved() { return this.server.you.ended === "event_removed" || this.isRefusedAs("event_removed"); }

  isRefusedAs(...codes) { return this.items.some((item) => this.isOfThisTable(item) && item.state === "marked" && codes.includes(item.code)); }

  // Whether this phone may correct a round: the table's last one, until it is accepted. The server applies the same rule.
  mayCorrect(round) {
    const isOwn = this.server.you.may_correct || (!round.by_desk && this.rounds().length === round.number);
    return isOwn && !round.accepted && !round.accepting && this.isWriter() && !this.isEnded();
  }

  // The round this phone is asked to accept, if any.
  roundToAccept() {
    const last = this.lastComplete();
    if (this.isOver() || !last || last.accepted || last.accepting || last.by_desk || this.isCorrectionRequested(last) || this.markedItem(last.number)) return null;
    const { accepting } = this.server.tournament;
    if (accepting === "same" && this.isWriter() && this.server.you.phone) return last;
    return accepting === "second" && !this.isWriter() ? last : null;
  }

  // Whether this phone may correct the last round.
  mayCorrectLast(last = this.lastComplete()) {
    return Boolean(last && this.mayCorrect(last));
  }

  // Whether the desk has been asked to correct this round and has not answered yet.
  isCorrectionRequested(round) {
    const isOpen = (item) => item.state !== "sent" || this.server.calls?.some(({ id }) => id === item.answer.id);
    return this.ownItems("call").some((item) => item.about === round.number && item.seen === round.version && isOpen(item));
  }

  // The state of calls to the desk: "waiting" on this phone, "open" at the desk, or "".
  callState() {
    if (this.unsentCalls().length) return "waiting";
    return this.openCalls().length ? "open" : "";
  }

  unsentCalls() { return this.ownItems("call").filter((item) => item.state !== "sent"); }

  openCalls() {
    const done = this.ownItems("call").filter((item) => this.isCorrected(item)).map(({ answer }) => answer.id);
    return (this.server.calls ?? []).filter(({ id }) => !done.includes(id));
  }

  // The reasons of the calls, in words.
  callReasons() { return [...this.unsentCalls().map(({ body }) => body), ...this.openCalls()].map(({ words }) => words); }

  draftKey(round) { return `${this.key}/${round.number}/${round.seen}`; }
};
