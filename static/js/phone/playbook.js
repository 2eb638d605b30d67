// Looks up in a table of rules what the game says: how a deal ended, its lines, who sits where next. The table was
// made by asking the game about every case (tournaments/playbook/document.py); no rule is written here.
makiyaku.Playbook = class {
  constructor(table) { Object.assign(this, table); }

  // How deal `number` ended: {id, won, outcome} or {id, problem, field}; null while its counts are not there.
  outcome(number, { kankei, mukankei, declaration }) {
    const { cells, outcomes } = this.deals[number - 1];
    const id = cells[declaration || ""]?.[kankei]?.[mukankei];
    return id === undefined ? null : { id, ...outcomes[id] };
  }

  // How a deal of these counts ended under each declaration that there is: {declaration: outcome}; none before there
  // are counts.
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
    const isAll = [deal.kankei, deal.mukankei].includes(this.face_cards);
    return isAll && !deal.declaration ? this.declared(number, deal).filter(([, outcome]) => !outcome.problem).map(([each]) => each) : [];
  }

  // A round as far as it can be judged: its outcomes, lines and the kankei's points, whether it is over.
  round(deals, isCutOff) {
    const told = { outcomes: [], lines: [], points: 0, isOver: false, problem: null };
    let path = "";
    let step = null;
    for (const [i, deal] of deals.entries()) {
      const outcome = this.outcome(i + 1, deal);
      if (!outcome || outcome.problem) { told.problem = outcome; break; }
      path = path ? `${path}.${outcome.id}` : String(outcome.id);
      step = this.paths[path];
      told.outcomes.push(outcome);
      told.lines.push(...step.lines);
      if (step.over) break;
    }
    if (step && !step.over && isCutOff && step.cut_off) {
      told.lines.push(...step.cut_off);
      told.isCutOff = true;
    }
    told.isOver = Boolean(step?.over || told.isCutOff);
    told.points = told.lines.reduce((sum, line) => sum + line[2], 0);
    return told;
  }

  // Who changes places with whom once these two are kankei: two players, or null.
  seatChange(seats, kankei, dealer) {
    const places = kankei.map((player) => seats.indexOf(player)).sort((a, b) => a - b);
    const move = this.seat_changes[`${this.dealer_sits_out ? seats.indexOf(dealer) : ""}:${places.join(",")}`];
    return move ? move.map((place) => seats[place]) : null;
  }

  // Who sits where, who deals and what is trump, after these rounds' facts.
  stateAfter(rounds, players) {
    let seats = [...players];
    for (const facts of rounds) {
      const move = facts.deals.length >= this.parted_before ? this.seatChange(seats, facts.kankei, facts.dealer) : null;
      if (move) seats = seats.map((player) => (player === move[0] ? move[1] : player === move[1] ? move[0] : player));
    }
    const last = rounds.at(-1)?.dealer;
    return {
      seats,
      dealer: last ? seats[this.next_dealer[seats.indexOf(last)]] : null,
      trump: this.trumps[rounds.length],
    };
  }

  // What a round brought each player.
  points(facts, players) {
    const { points } = this.round(facts.deals, facts.cut_off);
    const side = (player) => (facts.kankei.includes(player) ? "kankei" : player === facts.dealer ? "dealer" : "mukankei");
    return Object.fromEntries(players.map((player) => [player, points * this.shares[side(player)]]));
  }

  // ---- Finishing order

  // Who plays with whom where nobody says otherwise; no teams where there are none.
  usualTeams(players) { return (this.usual_teams ?? []).map((seats) => seats.map((seat) => players[seat])); }

  // The teams' points and lines in this order, once everybody is out; and who is in the second team.
  finish(facts, players) {
    const second = (facts.teams ?? this.usualTeams(players))[1];
    const told = this.finishes[facts.finish.map((player) => (second.includes(player) ? "2" : "1")).join("")];
    return told ? { ...told, second } : null;
  }

  // ---- Captured cards: which of them somebody has and which are exposed leads to a place in the table.

  static bits(cards, among) { return among.reduce((sum, card, i) => sum + (cards.includes(card) ? 2 ** i : 0), 0); }

  // One player's lines: [item, points].
  hand(cards, exposed) {
    const { bits } = makiyaku.Playbook;
    const table = this.hands;
    const row = table.rows[table.suit_rows[bits(cards, table.suit)]];
    const column = table.columns[bits(cards, table.singles) * 2 ** table.exposable.length + bits(exposed, table.exposable)];
    return table.scores[row[column]].map((line) => table.lines[line]);
  }

  // Everybody's points and lines, once it is said who took every card.
  captures(facts) {
    const taken = Object.values(facts.captured).flat();
    if ([...this.hands.suit, ...this.hands.singles].some((card) => !taken.includes(card))) return null;
    const lines = Object.fromEntries(Object.entries(facts.captured).map(([player, cards]) => [player, this.hand(cards, facts.exposed ?? [])]));
    const points = Object.fromEntries(Object.entries(lines).map(([player, own]) => [player, own.reduce((sum, line) => sum + line[1], 0)]));
    return { lines, points };
  }

  // Whether a total that the game watches, of one player or of several together, has ended it.
  isEnded(totals, players) {
    const { watched, limit } = this.ending ?? { watched: [] };
    return watched.some((seats) => seats.reduce((sum, seat) => sum + totals[players[seat]], 0) <= limit);
  }

  // ---- All games

  // A round's lines, each with the place in its facts that it comes from: [deal, player or place, item, points].
  lines(facts, players) {
    if (this.kind === "kankei") return this.round(facts.deals, facts.cut_off).lines;
    if (this.kind === "captures") return Object.entries(this.captures(facts)?.lines ?? {}).flatMap(([player, own]) => own.map((line) => [player, ...line]));
    return (this.finish(facts, players)?.lines ?? []).map(([, item, points], i) => [i + 1, item, points]);
  }

  // What the table does before the next deal, in sentences with these names; nothing where the form itself says it.
  nextDeal(facts, players, name) {
    if (!this.next) return [];
    const { card, sentences, plain, swept } = this.next;
    if (card) return this.named(sentences, players.filter((player) => facts.captured[player]?.includes(card)), name);
    if (!this.finish(facts, players).swept) return this.named(plain, facts.finish, name);
    return this.named(swept[facts.finish.slice(0, 3).map((player) => players.indexOf(player)).join(",")], players, name);
  }

  named(sentences, players, name) {
    const names = players.map(name);
    return sentences.map((sentence) => makiyaku.fill(sentence, names));
  }

  // What a round brought each player; nothing where the table does not say.
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
