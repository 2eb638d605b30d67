// Looks up outcomes, lines and seats in a table of all cases, made by tournaments/playbook/document.py; there are no rules here.
makiyaku.Playbook = class {
  constructor(table) { Object.assign(this, table); }

  // How deal `number` ended: {id, won, outcome} or {id, problem, field}; null without its counts.
  outcome(number, { kankei, mukankei, declaration }) {
    const { cells, outcomes } = this.deals[number - 1];
    const id = cells[declaration || ""]?.[kankei]?.[mukankei];
    return id === undefined ? null : { id, ...outcomes[id] };
  }

  // The outcome of these counts under each declaration: [declaration, outcome]; none without counts.
  declared(number, deal) {
    const declarations = Object.keys(this.deals[number - 1].cells).filter(Boolean);
    const found = declarations.map((declaration) => [declaration, this.outcome(number, { ...deal, declaration })]);
    return found.filter(([, outcome]) => outcome);
  }

  // The declarations that these counts do not rule out, though one of the counts may have to be corrected first; all of
  // them before there are counts.
  possible(number, deal) {
    const all = Object.keys(this.deals[number - 1].cells).filter(Boolean);
    if (!this.outcome(number, { ...deal, declaration: "" })) return all;
    return this.declared(number, deal).filter(([, outcome]) => outcome.field !== "declaration").map(([declaration]) => declaration);
  }

  // The declarations that these counts make.
  made(number, deal) {
    return this.declared(number, deal).filter(([declaration, { outcome }]) => outcome === declaration).map(([declaration]) => declaration);
  }

  // The declarations that can have been made where one side has all the face cards and none is given.
  undeclared(number, deal) {
    const hasAllFaceCards = [deal.kankei, deal.mukankei].includes(this.face_cards);
    return hasAllFaceCards && !deal.declaration ? this.declared(number, deal).filter(([, outcome]) => !outcome.problem).map(([each]) => each) : [];
  }

  // A round as far as it can be judged: its outcomes, lines and the kankei's points, whether it is over.
  round(deals, isCutOff) {
    const result = { outcomes: [], lines: [], points: 0, isOver: false, problem: null };
    let path = "";
    let step = null;
    for (const [i, deal] of deals.entries()) {
      const outcome = this.outcome(i + 1, deal);
      if (!outcome || outcome.problem) { result.problem = outcome; break; }
      path = path ? `${path}.${outcome.id}` : String(outcome.id);
      step = this.paths[path];
      result.outcomes.push(outcome);
      result.lines.push(...step.lines);
      if (step.over) break;
    }
    if (step && !step.over && isCutOff && step.cut_off) {
      result.lines.push(...step.cut_off);
      result.isCutOff = true;
    }
    result.isOver = Boolean(step?.over || result.isCutOff);
    result.points = result.lines.reduce((sum, line) => sum + line[2], 0);
    return result;
  }

  // Who changes places with whom once these two are kankei: two players, or null.
  seatChange(seats, kankei, dealer) {
    const places = kankei.map((player) => seats.indexOf(player)).sort((a, b) => a - b);
    const move = this.seat_changes[`${this.dealer_sits_out ? seats.indexOf(dealer) : ""}:${places.join(",")}`];
    return move ? move.map((place) => seats[place]) : null;
  }

  get hasDealers() { return this.next_dealer.length > 0; }

  // Who sits where, who deals and what is trump, after these rounds' facts.
  stateAfter(rounds, players, opener = null) {
    let seats = [...players];
    let next = opener; // who deals next; without a dealer in the facts it was the next one in turn
    for (const facts of rounds) {
      const move = facts.deals.length >= this.seat_change_before ? this.seatChange(seats, facts.kankei, facts.dealer) : null;
      if (move) seats = seats.map((player) => (player === move[0] ? move[1] : player === move[1] ? move[0] : player));
      const dealer = facts.dealer ?? next;
      next = dealer && this.hasDealers ? seats[this.next_dealer[seats.indexOf(dealer)]] : null;
    }
    return {
      seats,
      dealer: next,
      trump: this.trumps[rounds.length],
    };
  }

  // Each player's points of a face-card round.
  points(facts, players) {
    const { points } = this.round(facts.deals, facts.cut_off);
    const side = (player) => (facts.kankei.includes(player) ? "kankei" : player === facts.dealer ? "dealer" : "mukankei");
    return Object.fromEntries(players.map((player) => [player, points * this.point_factors[side(player)]]));
  }

  // ---- Finishing order

  // The teams by seats; none in games without teams.
  usualTeams(players) { return (this.usual_teams ?? []).map((seats) => seats.map((seat) => players[seat])); }

  // The teams' points and lines in this order, once everybody is out; and who is in the second team.
  finish(facts, players) {
    const second = (facts.teams ?? this.usualTeams(players))[1];
    const pattern = facts.finish.map((player) => (second.includes(player) ? "2" : "1")).join("");
    const result = this.finishes[pattern];
    return result ? { ...result, second, pattern } : null;
  }

  // ---- Captured cards: a player's cards and the exposed ones are encoded as bits, which give row and column.

  static bits(cards, among) { return among.reduce((sum, card, i) => sum + (cards.includes(card) ? 2 ** i : 0), 0); }

  // One player's lines: [item, points].
  hand(cards, exposed) {
    const { bits } = makiyaku.Playbook;
    const table = this.hands;
    const row = table.rows[table.suit_rows[bits(cards, table.suit)]];
    const column = table.columns[bits(cards, table.singles) * 2 ** table.exposable.length + bits(exposed, table.exposable)];
    return table.scores[row[column]].map((line) => table.lines[line]);
  }

  // Everybody's points and lines, once every card has a taker.
  captures(facts) {
    const taken = Object.values(facts.captured).flat();
    if ([...this.hands.suit, ...this.hands.singles].some((card) => !taken.includes(card))) return null;
    const lines = Object.fromEntries(Object.entries(facts.captured).map(([player, cards]) => [player, this.hand(cards, facts.exposed ?? [])]));
    const points = Object.fromEntries(Object.entries(lines).map(([player, own]) => [player, own.reduce((sum, line) => sum + line[1], 0)]));
    return { lines, points };
  }

  // Whether a total, of one player or of several together, has reached the limit that ends the game. `before` are the totals
  // with which these players began.
  isEnded(totals, players, before) {
    const { watched, limit } = this.ending ?? { watched: [] };
    return watched.some((seats, index) => seats.reduce((sum, seat) => sum + totals[players[seat]], before[index]) <= limit);
  }

  // ---- All games

  // A round's lines, each with the place in its facts that it comes from: [deal, player or place, item, points].
  lines(facts, players) {
    if (this.kind === "kankei") return this.round(facts.deals, facts.cut_off).lines;
    if (this.kind === "captures") return Object.entries(this.captures(facts)?.lines ?? {}).flatMap(([player, own]) => own.map((line) => [player, ...line]));
    return (this.finish(facts, players)?.lines ?? []).map(([, item, points], i) => [i + 1, item, points]);
  }

  // What the table does before the next deal, as sentences with names; nothing if the form shows it.
  nextDeal(facts, players, name) {
    if (!this.next) return [];
    const { card, sentences, plain, swept } = this.next;
    if (card) return this.withNames(sentences, players.filter((player) => facts.captured[player]?.includes(card)), name);
    const { swept: isSwept, pattern } = this.finish(facts, players);
    if (!isSwept) return this.withNames(plain[pattern], facts.finish, name);
    return this.withNames(swept[facts.finish.slice(0, 3).map((player) => players.indexOf(player)).join(",")], players, name);
  }

  withNames(sentences, players, name) {
    const names = players.map(name);
    return sentences.map((sentence) => makiyaku.fill(sentence, names));
  }

  // Each player's points of a round; 0 if the table has none.
  pointsOf(facts, players) {
    if (this.kind === "kankei") return this.points(facts, players);
    if (this.kind === "captures") {
      const points = this.captures(facts)?.points ?? {};
      return Object.fromEntries(players.map((player) => [player, points[player] ?? 0]));
    }
    const { teams, second } = this.finish(facts, players);
    return Object.fromEntries(players.map((player) => [player, teams[Number(second.includes(player))]]));
  }

  // Whether nothing can be added to these facts any more.
  isComplete(facts) { return this.kind !== "kankei" || this.round(facts.deals, facts.cut_off).isOver; }
};
