// Rounds, cards and out-box items in words, from the sentences that the page contains.
makiyaku.Wording = class {
  // `players` are the keys in seat order.
  constructor(words, playbook, players, roundsBefore = 0) {
    this.words = words;
    this.playbook = playbook;
    this.players = players;
    this.roundsBefore = roundsBefore; // played by others at the table
  }

  static SIGNS = { clubs: "♣", diamonds: "♦", hearts: "♥", spades: "♠", C: "♣", D: "♦", H: "♥", S: "♠" };

  sentence(key, values = {}) { return makiyaku.fill(this.words[key], values); }
  name(player) { return this.words.names[player] ?? player; }
  labelled(what, said) { return this.sentence("labelled", { what, said }); } // with the colon of the language
  names(players) { return players.map((player) => this.name(player)).join(" · "); }
  roundNumber(number) { return this.roundsBefore + number; }
  roundTitle(number) { return this.sentence("round", { number: this.roundNumber(number) }); }
  roundInSentence(number) { return this.sentence("round_in_sentence", { number: this.roundNumber(number) }); }
  cards(cards) { return cards.map((card) => `${makiyaku.Wording.SIGNS[card[0]]}${card.slice(1)}`).join(" "); }

  // A round's facts as pairs: [term, words].
  facts(facts) { return this.factRows(facts).map((pair) => pair.slice(0, 2)); }

  // The same with the points of each: [term, words, points].
  reasons(facts, players) {
    const lines = this.playbook.lines(facts, players);
    const pointsOf = (key) => lines.filter(([origin]) => origin === key).map(([, item, points]) => `${this.playbook.items[item].name}\u00a0${makiyaku.signed(points)}`).join(" · ");
    return this.factRows(facts).map(([term, words, key]) => [term, words, key === undefined ? "" : pointsOf(key)]);
  }

  // The facts as [term, words, key]; `key` identifies their lines in the playbook.
  factRows(facts) {
    const { words } = this;
    const pairs = [];
    if (facts.dealer) pairs.push([words.dealer, this.name(facts.dealer)]);
    if (facts.kankei) pairs.push([words.kankei, this.names(facts.kankei)]);
    (facts.deals ?? []).forEach((deal, i) => pairs.push([this.sentence("deal", { number: i + 1 }), this.deal(deal, i ? null : facts.trump), i + 1]));
    if (facts.cut_off) pairs.push(["", words.cut_off, null]);
    for (const player of this.takers(facts.captured ?? {})) pairs.push([this.name(player), this.cards(facts.captured[player]), player]);
    if (facts.exposed?.length) pairs.push([words.exposed, this.cards(facts.exposed)]);
    (facts.finish ?? []).forEach((player, i) => pairs.push([String(i + 1), this.name(player), i + 1]));
    (facts.teams ?? []).forEach((team, i) => pairs.push([this.sentence("team", { number: i + 1 }), this.names(team)]));
    return pairs;
  }

  // Who took cards, in seat order: an object lists such keys by number. Those who have left come last.
  takers(captured) {
    const place = (player) => (this.players.indexOf(player) + 1) || Infinity;
    return Object.keys(captured).sort((one, other) => place(one) - place(other) || 0);
  }

  // The label of an unsent round, with its last deal: a round is sent deal by deal.
  label(table, number, { deals = [] }) {
    const round = this.sentence("read_out", { table, round: this.roundInSentence(number) });
    return deals.length > 1 ? `${round} · ${this.sentence("deal", { number: deals.length })}` : round;
  }

  // The facts as lines of text.
  lines(facts) { return this.facts(facts).map(([term, words]) => (term && words ? this.labelled(term, words) : term || words)); }

  // The server's facts and this phone's, to be compared.
  versions(stored, own, [theirs, ours] = ["at_desk", "on_phone"]) {
    return [[this.words[theirs], this.lines(stored).join("\n")], [this.words[ours], this.lines(own).join("\n")]];
  }

  // Counts that are not typed yet are shown as "?".
  deal(deal, trumpOfRound) {
    const trump = deal.trump ?? trumpOfRound;
    const parts = [this.sentence("counts", { kankei: "?", mukankei: "?", ...deal }), this.words.declarations[deal.declaration], makiyaku.Wording.SIGNS[trump]];
    return parts.filter(Boolean).join(" ");
  }

  trump(suit) { return `${makiyaku.Wording.SIGNS[suit]} ${this.sentence("trump_next", { trump: this.words.suits[suit] })}`; }

  // Whether a round is sent, accepted or refused: [sentence, class].
  state({ item, accepted }) {
    if (accepted) return [this.words.accepted, "is-sent"];
    if (!item || item.state === "sent") return [this.words.sent, "is-sent"];
    if (item.code === "after_change") return [this.words.desk_decides, "is-marked"];
    if (makiyaku.Outbox.isRefused(item)) return [this.words[item.code === "stale" && item.answer?.stored ? "points_at_desk" : "refused"], "is-marked"];
    return [this.words.sending, "is-waiting"];
  }

  // Why an item has not been sent yet.
  reasonUnsent(item) {
    if (item.words || makiyaku.Outbox.isRefused(item)) return item.words;
    return item.isForeign ? this.words.foreign : item.tries ? this.words.no_answer : "";
  }

  // What prevents saving these facts: {sentence, deal}, with `deal` if it is in one; null if the server will accept them.
  problem(facts, { cards, players }) {
    const { words } = this;
    if (facts.captured) {
      const taken = Object.values(facts.captured).flat();
      const missing = cards.filter((card) => !taken.includes(card));
      return missing.length ? { sentence: this.sentence("card_missing", { cards: this.cards(missing) }) } : null;
    }
    if (facts.finish) return facts.finish.length === players.length ? null : { sentence: words.finish_missing };
    if (this.playbook.hasDealers && !facts.dealer) return { sentence: words.choose_dealer };
    if (facts.kankei.length !== 2) return { sentence: words.choose_kankei };
    return this.tooMany(facts.deals) ?? this.uncounted(facts);
  }

  // A deal with more face cards than there are.
  tooMany(deals = []) {
    const sums = deals.map(({ kankei = 0, mukankei = 0 }) => ({ kankei, mukankei, sum: kankei + mukankei }));
    const i = sums.findIndex(({ sum }) => sum > this.playbook.face_cards);
    return i < 0 ? null : { sentence: this.sentence("too_many", sums[i]), deal: i + 1 };
  }

  // The first deal with impossible counts, after the end of the round, or without counts.
  uncounted({ deals, cut_off: isCutOff }) {
    const { outcomes, problem, isOver } = this.playbook.round(deals, isCutOff);
    const counted = outcomes.length;
    const deal = counted + 1;
    if (problem?.problem) return { sentence: problem.problem, deal };
    if (counted && counted === deals.length) return null;
    return { sentence: counted && isOver ? this.sentence("round_over", { deal: counted }) : this.sentence("count_first", { number: deal }), deal };
  }
};
