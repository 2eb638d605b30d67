// The form for a round in use. With a playbook it judges by itself, at once; without one it asks the server.
// Everything works without it; the server decides.
makiyaku.RoundForm = class {
  constructor(form, { playbook = null, words = {}, changed = () => {}, shown = () => {} } = {}) {
    this.form = form;
    this.playbook = playbook;
    this.words = words;
    this.changed = changed; // something was typed
    this.totals = []; // what it brings each side
    this.shown = shown; // what is typed has been drawn
    this.preview = document.getElementById("preview");
    this.asked = 0;
    this.next = null; // what follows of the last tap, until it is worked out
    this.fields = new makiyaku.RoundFields(form, playbook);
    this.deals = new makiyaku.DealPanels(form);
    this.ring = new makiyaku.SeatRing(form);
    this.taps = new makiyaku.FinishTaps(this.fields);
    this.cards = new makiyaku.CardTaps(form);
    this.points = playbook && new makiyaku.Points(this.preview, { items: playbook.items });
    form.addEventListener("input", (event) => this.typed(event));
    form.addEventListener("change", () => this.draw());
    form.querySelectorAll("[data-one-by-one=close]").forEach((details) => { details.open = false; });
    this.show();
  }

  static LATEST = 200; // ms

  facts() { return this.fields.facts(); }
  typedSoFar() { return this.fields.typedSoFar(); }

  fill(values) {
    this.fields.fill(values);
    this.show();
  }

  typed({ target }) {
    const isPick = target.name === "kankei";
    if (isPick && this.ring.isAskingDealer) this.ring.deal(target);
    const picked = isPick ? this.fields.chosen("kankei").length : 0;
    if (picked > 2) target.checked = false; // they are two
    this.draw();
    this.changed();
    this.afterFrame(() => {
      this.tellAll();
      if (picked > 2) this.ring.tellTwo();
      if ((picked === 2 && target.checked) || target.matches(".result input")) this.deals.reveal();
    });
  }

  // What was tapped is seen, and kept, before the phone works out what follows of it. A page that nobody looks at has
  // no frames.
  afterFrame(work) {
    this.next = work;
    const mine = () => { if (this.next === work) this.catchUp(); }; // else something else was tapped meanwhile
    requestAnimationFrame(() => setTimeout(mine));
    setTimeout(mine, makiyaku.RoundForm.LATEST);
  }

  // Work out now what follows of the last tap, if that is still to come.
  catchUp() {
    const work = this.next;
    this.next = null;
    work?.();
  }

  show() {
    this.next = null;
    this.draw();
    this.tellAll();
  }

  // What is typed, judged: what it brings, which deals are open, who moves.
  tellAll() {
    if (!this.playbook) { this.ring.tell(""); this.askSoon(); }
    else if (this.fields.isKankei) this.judge();
    else this.points.show(this.fields.players.length ? this.judgeFinish() : this.judgeCaptures());
    this.readOut();
    this.shown();
  }

  // What is read out of the points: the totals, once they are others.
  readOut() {
    const totals = [...this.preview.querySelectorAll(".facts-big > div")].map((each) => [...each.children].map((part) => part.textContent).join(" "));
    makiyaku.write(document.getElementById("told"), totals.join(", "));
  }

  draw() {
    [this.deals, this.ring, this.taps, this.cards].forEach((part) => part.draw());
  }

  // ---- Judging here: all of it is looked up

  judge() {
    const deals = [1, 2, 3].map((number) => this.fields.deal(number));
    const { outcomes, isOver: isEnded } = this.playbook.round(deals, false);
    this.deals.show(deals.map((deal, i) => {
      const outcome = outcomes[i];
      const isReached = i === 0 || (i === outcomes.length && !isEnded);
      return {
        state: outcome ? (outcome.won ? "won" : "lost") : isReached ? "open" : "waiting",
        declarations: this.playbook.possible(i + 1, deal),
        made: this.playbook.made(i + 1, deal),
      };
    }));
    const facts = this.facts();
    const { lines, points, isOver, problem } = this.playbook.round(facts.deals, facts.cut_off);
    this.drawMove(facts);
    this.totals = lines.length ? ["kankei", "mukankei"].map((side) => [this.words[side], points * this.playbook.shares[side]]) : [];
    this.points.show({ hints: problem?.problem ? [problem.problem] : [], totals: this.totals, lines, isOver });
  }

  // Who has to change places before the round goes on.
  drawMove(facts) {
    const isLate = this.playbook.parted_before > 1;
    const isLast = this.playbook.round(facts.deals.slice(0, 1), false).isOver; // nothing comes after the first deal
    const isSettled = facts.kankei.length !== 2 || !this.seats || this.hasParted || (isLast && isLate);
    const move = (!isSettled && this.playbook.seatChange(this.seats, facts.kankei, facts.dealer)) || [];
    const [mover, other] = move.map((player) => this.name(player));
    this.ring.drawMove(move, mover ? this.say(isLate ? "seat_change_later" : "seat_change", { mover, other }) : "", isLate);
  }

  judgeFinish() {
    const facts = this.facts();
    const { lines, teams } = this.playbook.finish(facts, this.fields.players) ?? { lines: [], teams: [] };
    const team = (number) => this.say("team", { number });
    this.totals = teams.map((points, i) => [team(i + 1), points]);
    return {
      totals: this.totals,
      lines: lines.map(([number, item, points], place) => [`${team(number)} ${this.name(facts.finish[place])}`, item, points]),
    };
  }

  judgeCaptures() {
    const score = this.playbook.captures(this.facts());
    this.cards.tell(score && this.words.players.map((player) => [player, score.points[player] ?? 0]));
    if (!score) return {};
    return {
      totals: this.words.players.map((player) => [this.name(player), score.points[player] ?? 0]),
      lines: this.words.players.flatMap((player) => (score.lines[player] ?? []).map(([item, points]) => [this.name(player), item, points])),
    };
  }

  say(key, values = {}) { return makiyaku.fill(this.words[key], values); }
  name(player) { return this.words.names?.[player] ?? player; }

  // ---- Asking the server

  askSoon() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.ask(), 150);
  }

  async ask() {
    const mine = ++this.asked;
    let answer;
    try {
      const response = await fetch(this.form.dataset.preview, { method: "POST", body: new FormData(this.form) });
      if (!response.ok) return;
      answer = await response.json();
    } catch {
      return; // no network: the round is kept all the same
    }
    if (mine !== this.asked || typeof answer.html !== "string") return; // a newer question is on its way
    this.preview.innerHTML = answer.html;
    this.readOut();
    const at = document.activeElement; // what the preview pushes on stays in sight
    if (at.form === this.form && this.preview.compareDocumentPosition(at) & Node.DOCUMENT_POSITION_FOLLOWING) at.scrollIntoView({ block: "nearest" });
    this.deals.show(answer.deals);
  }
};
