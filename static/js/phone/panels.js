// The panels of the page, one of which is shown: the form, passing the phone on, "is this right?", the end.
makiyaku.Panels = class {
  constructor(table, wording) {
    this.table = table;
    this.wording = wording;
    this.shown = "form";
    this.isReadOnly = false; // another phone records, or none any more; this one shows the state
  }

  static byId(id) { return document.getElementById(id); }

  static list(box, pairs) {
    makiyaku.lay(box, pairs.map(([term, words, reasons = ""]) => {
      const row = document.createElement("div");
      row.append(document.createElement("dt"), document.createElement("dd"));
      row.firstChild.textContent = term;
      row.lastChild.append(...makiyaku.Panels.coloured(words));
      if (reasons) row.lastChild.append(" ", Object.assign(document.createElement("span"), { className: "reasons", textContent: reasons }));
      return row;
    }));
  }

  sentences(box, sentences) {
    makiyaku.lay(box, sentences.map((sentence) => {
      const item = document.createElement("li");
      item.append(...makiyaku.Panels.coloured(sentence, Object.values(this.wording.words.names)));
      return item;
    }));
  }

  // A sentence whose red suits are red, and whose names are not broken.
  static coloured(words, names = []) {
    const marked = ["[♦♥]", ...names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))];
    return words.split(new RegExp(`(${marked.join("|")})`)).map((part, i) => {
      if (i % 2 === 0) return part;
      const span = document.createElement("span");
      span.className = ["♦", "♥"].includes(part) ? "red-suit" : "whole";
      span.textContent = part;
      return span;
    });
  }

  // Show a panel; if it `isNew`, from its top.
  show(which, isNew = false) {
    const { byId } = makiyaku.Panels;
    this.shown = which;
    const isOver = this.table.isOver();
    this.isReadOnly = which === "pass" && (isOver || !this.table.isWriter());
    byId("ended-typed").hidden = which !== "form" || !isOver;
    ["form", "pass", "check", "end"].forEach((each) => { byId(`panel-${each}`).hidden = each !== which; });
    this.draw();
    if (!isNew) return;
    if (which !== "form") byId(`panel-${which}`).focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }

  draw() {
    const all = this.table.rounds();
    const last = this.table.lastComplete(all);
    if (this.shown === "pass") this.drawPass(all, last);
    if (this.shown === "check") this.drawCheck(this.table.roundToAccept() ?? last);
    if (this.shown === "end" && last) this.drawEnd(last);
  }

  drawEnd(last) {
    const { byId } = makiyaku.Panels;
    this.drawState(byId("end-state"), last);
    const places = this.table.places();
    const first = places.filter(({ place }) => place === 1);
    const names = this.wording.names(first.flatMap(({ players }) => players));
    makiyaku.write(byId("end-first"), this.wording.sentence("first", { names, points: makiyaku.signed(first[0].points) }));
    this.drawPoints(byId("end-points"), last, places);
    makiyaku.Panels.list(byId("end-facts"), this.pointReasons(last));
    this.drawWayOn(byId("goes-on"));
    const isKnown = this.table.server.next.finished && !this.table.server.goes_on; // offline only the end itself is known
    this.sentences(byId("end-advice"), isKnown ? this.table.server.advice.map((each) => each.sentence) : []);
  }

  // Where the table goes on, if players have joined or left.
  drawWayOn(box) {
    const { goes_on: onward } = this.table.server;
    box.hidden = !onward;
    if (!onward) return;
    const [words, link] = box.children;
    words.textContent = this.wording.words.goes_on;
    link.textContent = this.wording.words.open_table;
    link.hidden = !onward.link;
    link.href = onward.link ?? "";
  }

  // Whether a round is sent, accepted or refused.
  drawState(box, round) {
    const item = this.table.unsentItem(round.number);
    const [sentence, look] = this.wording.state(item ? { item } : round);
    box.textContent = this.wording.labelled(this.wording.roundTitle(round.number), sentence);
    box.className = `panel-state ${look}`;
  }

  drawPass(all, last) {
    const { byId } = makiyaku.Panels;
    const { wording, table } = this;
    const isWriter = !this.isReadOnly && table.isWriter();
    const state = table.stateBefore(all.length + 1);
    makiyaku.Panels.list(byId("pass-facts"), last ? this.pointReasons(last) : []);
    byId("pass-title").textContent = isWriter ? this.passTitle(state?.dealer, last) : wording.roundTitle(last?.number ?? 1);
    byId("pass-state").hidden = byId("pass-points").hidden = !last;
    byId("pass-taken").hidden = !isWriter;
    byId("panel-pass").querySelector("[data-do=take-phone]").textContent = state?.dealer || table.roundToAccept() ? wording.words.have_phone : wording.sentence("go_on", { round: wording.roundInSentence(all.length + 1) });
    this.sentences(byId("pass-advice"), this.advice(all, state));
    if (!last) return;
    this.drawState(byId("pass-state"), last);
    this.drawPoints(byId("pass-points"), last);
  }

  // The heading: the next dealer gets the phone; without one, somebody else if a round is to be accepted.
  passTitle(dealer, last) {
    const { wording } = this;
    if (dealer) return wording.sentence("pass_to", { name: wording.name(dealer) });
    return this.table.roundToAccept() ? wording.words.pass_on : wording.roundTitle(last.number);
  }

  // The next trump, or what the table does before the next deal; on a read-only phone what it is for.
  advice(all, state) {
    const { wording, table } = this;
    if (table.isOver()) return [];
    if (this.isReadOnly) return [wording.words[table.server.tournament.accepting === "second" ? "asked_here" : "shown_here"]];
    if (state) return [wording.labelled(wording.roundTitle(all.length + 1), wording.trump(state.trump)), table.playbook.first_leads[state.trump]].filter(Boolean);
    return this.nextDeal(all);
  }

  // What the table does before the next deal, unless the form shows it.
  nextDeal(all = this.table.rounds()) {
    const { table, wording } = this;
    if (table.playbook.kind === "kankei") return this.firstLead(all);
    if (!all.length) return table.server.advice.map((each) => each.sentence);
    return table.playbook.nextDeal(all.at(-1).facts, table.players, (player) => wording.name(player));
  }

  // Who leads the first deal, where no dealer sees to it.
  firstLead(all) {
    const { playbook } = this.table;
    if (playbook.hasDealers || (all.length && !all.at(-1).complete)) return [];
    return [playbook.first_leads[this.table.stateBefore(all.length + 1).trump]];
  }

  // The facts of a round that brought points, with the points.
  pointReasons(round) { return this.wording.reasons(round.facts, this.table.players).filter(([, , reasons]) => reasons); }

  // Each player's points of the round and total: in seat order, or by these places and with them.
  drawPoints(box, round, places = [{ players: this.table.players }]) {
    const points = this.table.points(round);
    const totals = this.table.totals();
    makiyaku.lay(box.tBodies[0], places.flatMap(({ players, place }) => players.map((player) => {
      const row = document.createElement("tr");
      if (place) row.append(Object.assign(document.createElement("td"), { className: "num", textContent: place }));
      const name = document.createElement("th");
      name.scope = "row";
      name.className = "name";
      name.append(document.createElement("bdi"));
      name.firstChild.textContent = this.wording.name(player);
      row.append(name, ...[points[player], totals[player]].map((each) => {
        const cell = document.createElement("td");
        cell.className = `num points ${each > 0 ? "plus" : each < 0 ? "minus" : ""}`;
        cell.textContent = makiyaku.signed(each);
        return cell;
      }));
      return row;
    })));
  }

  drawCheck(round) {
    if (!round) return;
    const { byId, list } = makiyaku.Panels;
    const { wording } = this;
    byId("check-title").textContent = wording.sentence("is_it_right", { title: wording.roundTitle(round.number) });
    list(byId("check-facts"), wording.reasons(round.facts, this.table.players));
    this.drawPoints(byId("check-points"), round);
    byId("panel-check").querySelector("[data-do=correct]").hidden = !this.table.mayCorrect(round);
  }
};
