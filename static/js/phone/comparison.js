// Compares what this phone has sent with what the server holds: a server that goes on from an earlier state (docs/phones.md)
// lacks some of it. What is missing waits again under its idempotency key, unless the desk went back on purpose: then the item
// is set aside, so that the table's next round can take its number.
makiyaku.Comparison = class {
  constructor(page, table, outbox) {
    this.page = page;
    this.table = table;
    this.outbox = outbox;
    this.answered = new Set(); // addresses of other tables of this place
  }

  // Answers that mean that this server does not know the table, or not this phone at it.
  static UNKNOWN = ["log_in", "not_found", "other_table"];

  // Compare with the table's state, which was requested at `askedAt`.
  async compare(state, askedAt) {
    const missing = this.table.sentItems().filter((item) => item.sentAt < askedAt && makiyaku.Comparison.isMissing(item, state));
    for (const item of missing) await this.redo(item, state.sends_again);
    const wanted = state.sends_again ? this.table.items.filter((item) => item.setAsideFrom === this.table.key && makiyaku.Comparison.isMissing(item, state)) : [];
    for (const item of wanted) await this.adopt(item, { setAsideFrom: null });
    if (missing.length || wanted.length) await this.showChanges();
  }

  // Compare what was sent to other tables of the event before this epoch: this phone has moved to another table since.
  async compareOthers(epoch) {
    const isOther = (item) => item.state === "sent" && item.event === this.page.event_key && item.table !== this.table.key;
    const others = this.table.items.filter((item) => isOther(item) && (item.epoch ?? 0) < epoch);
    for (const address of new Set(others.map((item) => makiyaku.Comparison.base(item)))) {
      const items = others.filter((item) => makiyaku.Comparison.base(item) === address);
      const state = await makiyaku.Requests.state(address, items[0].of);
      const isUnknown = makiyaku.Comparison.UNKNOWN.includes(state?.code);
      for (const item of state ? items : []) {
        if (isUnknown || (state.rounds && makiyaku.Comparison.isMissing(item, state))) await this.redo(item, isUnknown || state.sends_again);
        else await this.outbox.update(item.id, { epoch });
      }
    }
    if (others.length) await this.showChanges();
  }

  async showChanges() {
    this.table.items = await this.outbox.items();
    this.outbox.notify();
    this.outbox.send();
  }

  // Whether the server holds neither the item's version nor a later one.
  static isMissing({ kind, number, seen, answer }, { rounds }) {
    const round = rounds[number - 1];
    if (kind === "round") return Boolean(answer?.version) && (!round || round.version < answer.version || makiyaku.Comparison.isAnother(round, answer));
    return kind === "accept" && (!round || round.version < seen || (round.version === seen && !round.accepted));
  }

  // Whether other facts are stored under the version of an answer.
  static isAnother(round, { version, facts }) { return round.version === version && !makiyaku.RoundEditor.isSame(round.facts, facts); }

  redo(item, isSentAgain) {
    return this.outbox.update(item.id, isSentAgain ? makiyaku.Comparison.WAITING : { table: `aside ${item.id}`, setAsideFrom: item.table });
  }

  static WAITING = { state: "waiting", answer: null, sentAt: null, tries: 0, wait: 0, isSentAgain: true };

  // The server does not know the table, so nothing of it is sent.
  async markUnknown() {
    const sent = this.table.sentItems();
    for (const item of sent) await this.redo(item, true);
    if (sent.length) await this.showChanges();
  }

  // Take over items of a table that the server does not know, if it was this one: seated again by the desk, with the same players.
  // An address is asked until there is an answer, which a bad line may lose.
  async adoptLost() {
    const here = this.table.items.filter((item) => this.isOfThisPlace(item));
    for (const address of new Set(here.map((item) => makiyaku.Comparison.base(item)))) {
      const lost = here.filter((item) => makiyaku.Comparison.base(item) === address);
      if (this.answered.has(address) || !(await this.isUnknown(address, lost[0].of))) continue;
      for (const item of lost) await this.adopt(item, { address: item.address.replace(address, this.page.api), of: this.page.state.key });
      await this.showChanges();
    }
  }

  isOfThisPlace({ event, table, place, body }) {
    return event === this.page.event_key && table !== this.table.key && place === this.page.place && String(body.players) === String(this.table.players);
  }

  static base({ address }) { return address.replace(/\/(rounds\/.*|calls)$/, ""); }

  async isUnknown(address, key) {
    const answer = await makiyaku.Requests.state(address, key);
    const isUnknown = makiyaku.Comparison.UNKNOWN.includes(answer?.code);
    if (isUnknown || answer?.rounds) this.answered.add(address);
    return isUnknown;
  }

  // Let an item be one of this table, unless another one has its place.
  async adopt(item, changes) {
    const isTaken = this.table.items.some((each) => each.table === this.table.key && each.kind === item.kind && each.number === item.number && each.seen === item.seen);
    if (isTaken) return;
    const isSent = item.state === "sent" && !this.table.server.sends_again;
    await this.outbox.update(item.id, { ...(isSent ? {} : makiyaku.Comparison.WAITING), ...changes, table: this.table.key });
  }
};
