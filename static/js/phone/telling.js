// What the phone says of rounds, cards and the out-box, in the words the page brings along.
makiyaku.Telling = class {
  constructor(words, playbook, isWithDesk = true) {
    this.words = words;
    this.playbook = playbook;
    this.isWithDesk = isWithDesk;
  }

  static SIGNS = { clubs: "♣", diamonds: "♦", hearts: "♥", spades: "♠", C: "♣", D: "♦", H: "♥", S: "♠" };

  say(key, values = {}) { return makiyaku.fill(this.words[key], values); }
  name(player) { return this.words.names[player] ?? player; }
  names(players) { return players.map((player) => this.name(player)).join(" · "); }
  title(number) { return this.say("round", { number }); }
  inSentence(number) { return this.say("round_in_sentence", { number }); }
  cards(cards) { return cards.map((card) => `${makiyaku.Telling.SIGNS[card[0]]}${card.slice(1)}`).join(" "); }

  // A round's facts as pairs of what and which.
  facts(facts) { return this.keyed(facts).map((pair) => pair.slice(0, 2)); }

  // The same, and what each of them brings.
  reasons(facts, players) {
    const lines = this.playbook.lines(facts, players);
    const told = (key) => lines.filter(([whose]) => whose === key).map(([, item, points]) => `${this.playbook.items[item].name} ${makiyaku.signed(points)}`).join(" · ");
    return this.keyed(facts).map(([term, words, key]) => [term, words, key === undefined ? "" : told(key)]);
  }

  // The facts, and by what their lines are told.
  keyed(facts) {
    const { words } = this;
    const pairs = [];
    if (facts.dealer) pairs.push([words.dealer, this.name(facts.dealer)]);
    if (facts.kankei) pairs.push([words.kankei, this.names(facts.kankei)]);
    (facts.deals ?? []).forEach((deal, i) => pairs.push([this.say("deal", { number: i + 1 }), this.deal(deal, i ? null : facts.trump), i + 1]));
    if (facts.cut_off) pairs.push(["", words.cut_off, null]);
    for (const [player, cards] of Object.entries(facts.captured ?? {})) pairs.push([this.name(player), this.cards(cards), player]);
    if (facts.exposed?.length) pairs.push([words.exposed, this.cards(facts.exposed)]);
    (facts.finish ?? []).forEach((player, i) => pairs.push([String(i + 1), this.name(player), i + 1]));
    (facts.teams ?? []).forEach((team, i) => pairs.push([this.say("team", { number: i + 1 }), this.names(team)]));
    return pairs;
  }

  // By which a round is told from others while it waits: a round that goes on is sent deal by deal.
  label(table, number, { deals = [] }) {
    const round = this.say("read_out", { table, round: this.inSentence(number) });
    return deals.length > 1 ? `${round} · ${this.say("deal", { number: deals.length })}` : round;
  }

  // The same, to be read out.
  lines(facts) { return this.facts(facts).map((pair) => pair.filter(Boolean).join(": ")); }

  deal(deal, trumpOfRound) {
    const trump = deal.trump ?? trumpOfRound;
    const parts = [this.say("counts", deal), this.words.declarations[deal.declaration], makiyaku.Telling.SIGNS[trump]];
    return parts.filter(Boolean).join(" ");
  }

  trump(suit) { return `${makiyaku.Telling.SIGNS[suit]} ${this.say("trump_next", { trump: this.words.suits[suit] })}`; }

  // Where a round is by now: a sentence and its look.
  state({ item, accepted }) {
    if (accepted) return [this.words.accepted, "is-sent"];
    if (!item || item.state === "sent") return [this.words.sent, "is-sent"];
    if (item.state === "marked") return [this.words[item.code === "stale" && item.answer?.stored ? "points_at_desk" : "refused"], "is-marked"];
    return [this.words.sending, "is-waiting"];
  }

  // Why an item has not been sent yet.
  why(item) {
    const why = item.words || (item.isForeign ? this.words.foreign : item.tries ? this.words.no_answer : "");
    return item.status && this.isWithDesk ? `${why} (${item.status})` : why;
  }

  // What keeps these facts from being saved: {sentence, deal}, the deal where it lies in one; nothing if the server will
  // take them.
  problem(facts, { cards, players }) {
    const { words } = this;
    if (facts.captured) {
      const taken = Object.values(facts.captured).flat();
      const missing = cards.filter((card) => !taken.includes(card));
      return missing.length ? { sentence: this.say("card_missing", { cards: this.cards(missing) }) } : null;
    }
    if (facts.finish) return facts.finish.length === players.length ? null : { sentence: words.finish_missing };
    if (!facts.dealer) return { sentence: words.choose_dealer };
    if (facts.kankei.length !== 2) return { sentence: words.choose_kankei };
    return this.tooMany(facts.deals) ?? this.uncounted(facts);
  }

  // A deal with more face cards than there are.
  tooMany(deals = []) {
    const sums = deals.map(({ kankei = 0, mukankei = 0 }) => ({ kankei, mukankei, sum: kankei + mukankei }));
    const i = sums.findIndex(({ sum }) => sum > this.playbook.face_cards);
    return i < 0 ? null : { sentence: this.say("too_many", sums[i]), deal: i + 1 };
  }

  // The first deal that cannot have ended so, was not played or is not counted.
  uncounted({ deals, cut_off: isCutOff }) {
    const { outcomes, problem, isOver } = this.playbook.round(deals, isCutOff);
    const counted = outcomes.length;
    const deal = counted + 1;
    if (problem?.problem) return { sentence: problem.problem, deal };
    if (counted && counted === deals.length) return null;
    return { sentence: counted && isOver ? this.say("round_over", { deal: counted }) : this.say("count_first", { number: deal }), deal };
  }
};
