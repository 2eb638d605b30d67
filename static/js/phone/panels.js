// What fills the screen: the form, handing on, "is this right?", the end. One of them at a time.
makiyaku.Panels = class {
  constructor(table, telling) {
    this.table = table;
    this.telling = telling;
    this.shown = "form";
  }

  static by(id) { return document.getElementById(id); }

  static list(box, pairs) {
    box.replaceChildren(...pairs.map(([term, words]) => {
      const row = document.createElement("div");
      row.append(document.createElement("dt"), document.createElement("dd"));
      row.firstChild.textContent = term;
      row.lastChild.textContent = words;
      return row;
    }));
  }

  // Show this one; `isMoved`: somebody has just got there, so begin at its top.
  show(which, isMoved = false) {
    const { by } = makiyaku.Panels;
    this.shown = which;
    ["form", "pass", "check", "end"].forEach((each) => { by(`panel-${each}`).hidden = each !== which; });
    this.draw();
    if (!isMoved) return;
    if (which !== "form") by(`panel-${which}`).focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }

  draw() {
    const all = this.table.rounds();
    const last = this.table.last(all);
    if (this.shown === "pass" && last) this.drawPass(all, last);
    if (this.shown === "check") this.drawCheck(this.table.toAccept() ?? last);
    if (this.shown === "end" && last) makiyaku.Panels.by("end-state").textContent = this.telling.state(last)[0];
  }

  drawPass(all, last) {
    const { by } = makiyaku.Panels;
    const { telling } = this;
    const following = telling.title(all.length + 1);
    const state = this.table.stateBefore(all.length + 1);
    const [sentence, look] = telling.state(last);
    by("pass-title").textContent = state?.dealer ? telling.say("pass_to", { name: telling.name(state.dealer) }) : telling.title(last.number);
    by("pass-state").textContent = `${telling.title(last.number)}: ${sentence}`;
    by("pass-state").className = `panel-state ${look}`;
    by("pass-advice").textContent = state ? `${following}: ${telling.trump(state.trump)}` : "";
    by("panel-pass").querySelector("[data-do=take-phone]").textContent = state?.dealer ? telling.words.have_phone : following;
    this.drawPoints(by("pass-points"), last);
  }

  // What the round brought and what everybody has by now, in seat order.
  drawPoints(box, round) {
    const points = this.table.points(round);
    const totals = this.table.totals(round.number);
    box.querySelector("[data-of-round]").textContent = this.telling.say("points_of_round", { round: this.telling.title(round.number) });
    box.tBodies[0].replaceChildren(...this.table.players.map((player) => {
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
    by("check-title").textContent = telling.say("is_it_right", { round: telling.title(round.number) });
    list(by("check-facts"), telling.facts(round.facts));
    this.drawPoints(by("check-points"), round);
    by("panel-check").querySelector("[data-do=correct]").hidden = !this.table.mayCorrect() || !this.table.isWriter();
  }
};
