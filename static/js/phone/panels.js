// What fills the screen: the form, handing on, "is this right?", the end. One of them at a time.
makiyaku.Panels = class {
  constructor(table, telling) {
    this.table = table;
    this.telling = telling;
    this.shown = "form";
    this.isWatching = false; // shown is what another phone writes
  }

  static by(id) { return document.getElementById(id); }

  static list(box, pairs) {
    makiyaku.lay(box, pairs.map(([term, words, reasons = ""]) => {
      const row = document.createElement("div");
      row.append(document.createElement("dt"), document.createElement("dd"));
      row.firstChild.textContent = term;
      row.lastChild.append(...makiyaku.Panels.coloured(words));
      if (reasons) row.lastChild.append(Object.assign(document.createElement("span"), { className: "reasons", textContent: reasons }));
      return row;
    }));
  }

  static sentences(box, sentences) {
    makiyaku.lay(box, sentences.map((sentence) => {
      const item = document.createElement("li");
      item.append(...makiyaku.Panels.coloured(sentence));
      return item;
    }));
  }

  // A sentence whose red suits are red.
  static coloured(words) {
    return words.split(/([♦♥])/).map((part, i) => {
      if (i % 2 === 0) return part;
      const suit = document.createElement("span");
      suit.className = "red-suit";
      suit.textContent = part;
      return suit;
    });
  }

  // Show this one; `isMoved`: somebody has just got there, so begin at its top.
  show(which, isMoved = false) {
    const { by } = makiyaku.Panels;
    this.shown = which;
    this.isWatching = which === "pass" && !this.table.isWriter();
    ["form", "pass", "check", "end"].forEach((each) => { by(`panel-${each}`).hidden = each !== which; });
    this.draw();
    if (!isMoved) return;
    if (which !== "form") by(`panel-${which}`).focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }

  draw() {
    const all = this.table.rounds();
    const last = this.table.last(all);
    if (this.shown === "pass") this.drawPass(all, last);
    if (this.shown === "check") this.drawCheck(this.table.toAccept() ?? last);
    if (this.shown === "end" && last) this.drawEnd(last);
  }

  drawEnd(last) {
    const { by } = makiyaku.Panels;
    this.drawState(by("end-state"), last);
    this.drawPoints(by("end-points"), last);
  }

  // Where a round is by now.
  drawState(box, round) {
    const item = this.table.marked(round.number);
    const [sentence, look] = this.telling.state(item ? { item } : round);
    box.textContent = `${this.telling.title(round.number)}: ${sentence}`;
    box.className = `panel-state ${look}`;
  }

  drawPass(all, last) {
    const { by } = makiyaku.Panels;
    const { telling, table } = this;
    const isWriter = !this.isWatching && table.isWriter();
    const state = table.stateBefore(all.length + 1);
    makiyaku.Panels.list(by("pass-facts"), last ? this.brought(last) : []);
    by("pass-title").textContent = isWriter ? this.passTo(state?.dealer, last) : telling.title(last?.number ?? 1);
    by("pass-state").hidden = by("pass-points").hidden = !last;
    by("pass-taken").hidden = !isWriter;
    by("panel-pass").querySelector("[data-do=take-phone]").textContent = state?.dealer || table.toAccept() ? telling.words.have_phone : telling.say("go_on", { round: telling.inSentence(all.length + 1) });
    makiyaku.Panels.sentences(by("pass-advice"), this.advice(all, state));
    if (!last) return;
    this.drawState(by("pass-state"), last);
    this.drawPoints(by("pass-points"), last);
  }

  // Who gets the phone: the next dealer; where nobody deals, somebody else to check, if that is asked for.
  passTo(dealer, last) {
    const { telling } = this;
    if (dealer) return telling.say("pass_to", { name: telling.name(dealer) });
    return this.table.toAccept() ? telling.words.pass_on : telling.title(last.number);
  }

  // What comes next: the trump, or what the table does before the next deal. A phone that does not write says what it is
  // there for.
  advice(all, state) {
    const { telling, table } = this;
    if (this.isWatching) return [telling.words[table.now.tournament.accepting === "second" ? "asked_here" : "shown_here"]];
    if (state) return [`${telling.title(all.length + 1)}: ${telling.trump(state.trump)}`];
    return this.nextDeal(all);
  }

  // What the table does before the next deal, where the form does not say it itself.
  nextDeal(all = this.table.rounds()) {
    const { table, telling } = this;
    if (table.playbook.kind === "kankei") return [];
    if (!all.length) return table.now.advice.map((each) => each.sentence);
    return table.playbook.nextDeal(all.at(-1).facts, table.players, (player) => telling.name(player));
  }

  // What brought points in a round, and how many.
  brought(round) { return this.telling.reasons(round.facts, this.table.players).filter(([, , reasons]) => reasons); }

  // What the round brought and what everybody has by now, in seat order.
  drawPoints(box, round) {
    const points = this.table.points(round);
    const totals = this.table.totals(round.number);
    makiyaku.lay(box.tBodies[0], this.table.players.map((player) => {
      const row = document.createElement("tr");
      const name = document.createElement("th");
      name.scope = "row";
      name.className = "name";
      name.append(document.createElement("bdi"));
      name.firstChild.textContent = this.telling.name(player);
      row.append(name, ...[points[player], totals[player]].map((each) => {
        const cell = document.createElement("td");
        cell.className = `num points ${each > 0 ? "plus" : each < 0 ? "minus" : ""}`;
        cell.textContent = makiyaku.signed(each);
        return cell;
      }));
      return row;
    }));
  }

  drawCheck(round) {
    if (!round) return;
    const { by, list } = makiyaku.Panels;
    const { telling } = this;
    by("check-title").textContent = telling.say("is_it_right", { title: telling.title(round.number) });
    list(by("check-facts"), telling.reasons(round.facts, this.table.players));
    this.drawPoints(by("check-points"), round);
    by("panel-check").querySelector("[data-do=correct]").hidden = !this.table.mayCorrect(round);
  }
};
