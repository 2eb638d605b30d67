// The form for a round. With a playbook it evaluates the round itself, at once; without one it requests a preview of the
// server. It only enhances the form: the server decides.
makiyaku.RoundForm = class {
  constructor(form, { playbook = null, words = {}, changed = () => {}, shown = () => {} } = {}) {
    this.form = form;
    this.playbook = playbook;
    this.words = words;
    this.changed = changed; // called after every change
    this.totals = []; // points of each side
    this.shown = shown; // called after drawing
    this.preview = document.getElementById("preview");
    this.previewRequests = 0;
    this.pending = null; // the evaluation of the last tap, until it has run
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

  static MAX_DELAY = 200; // ms

  facts() { return this.fields.facts(); }
  typedSoFar() { return this.fields.typedSoFar(); }

  // Show these values alone; of the deals, the one of this number is open even if it is decided.
  fill(values, edited = 0) {
    this.deals.reset(edited);
    this.ring.reset();
    this.cards.reset();
    this.fields.fill(values);
    this.show();
  }

  typed({ target }) {
    const isPick = target.name === "kankei";
    const picked = isPick ? this.fields.chosen("kankei").length : 0;
    if (picked > 2) target.checked = false; // there are two kankei
    this.draw();
    this.changed();
    this.afterFrame(() => {
      this.evaluate();
      if (picked > 2) this.ring.refuseThird();
      if ((picked === 2 && target.checked) || target.matches(".result input")) this.deals.reveal();
    });
  }

  // A tap is drawn and stored before it is evaluated. A hidden page has no frames, hence the second timer.
  afterFrame(work) {
    this.pending = work;
    const run = () => { if (this.pending === work) this.evaluateNow(); }; // unless there was another tap meanwhile
    requestAnimationFrame(() => setTimeout(run));
    setTimeout(run, makiyaku.RoundForm.MAX_DELAY);
  }

  // Run the pending evaluation, if any.
  evaluateNow() {
    const work = this.pending;
    this.pending = null;
    work?.();
  }

  show() {
    this.pending = null;
    this.draw();
    this.evaluate();
  }

  // Show the points, which deals are open, and who changes seats.
  evaluate() {
    if (!this.playbook) { this.ring.showHint(""); this.requestPreviewSoon(); }
    else if (this.fields.isKankei) this.evaluateDeals();
    else this.points.show(this.fields.players.length ? this.evaluateFinish() : this.evaluateCaptures());
    this.readOut();
    this.shown();
  }

  // Announce the totals to screen readers when they change.
  readOut() {
    const totals = [...this.preview.querySelectorAll(".facts-big > div")].map((each) => [...each.children].map((part) => part.textContent.trim()).join(" "));
    makiyaku.write(document.getElementById("points-announcement"), totals.join(", "));
  }

  draw() {
    [this.deals, this.ring, this.taps, this.cards].forEach((part) => part.draw());
  }

  // ---- Evaluating with the playbook

  evaluateDeals() {
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
    if (isOver) this.ring.drawEnd();
    this.totals = lines.length ? ["kankei", "mukankei"].map((side) => [this.words[side], points * this.playbook.point_factors[side]]) : [];
    this.points.show({ hints: problem?.problem ? [problem.problem] : [], totals: this.totals, lines, isOver });
  }

  // Show who has to change seats before the round goes on.
  drawMove(facts) {
    const isLate = this.playbook.seat_change_before > 1;
    const isLast = this.playbook.round(facts.deals.slice(0, 1), false).isOver; // the round ends with the first deal
    const isSettled = facts.kankei.length !== 2 || !this.seats || this.hasChangedSeats || (isLast && isLate);
    const move = (!isSettled && this.playbook.seatChange(this.seats, facts.kankei, facts.dealer)) || [];
    const [mover, other] = move.map((player) => this.name(player));
    this.ring.drawMove(move, mover ? this.sentence(isLate ? "seat_change_later" : "seat_change", { mover, other }) : "", isLate);
  }

  evaluateFinish() {
    const facts = this.facts();
    const { lines, teams } = this.playbook.finish(facts, this.fields.players) ?? { lines: [], teams: [] };
    const team = (number) => this.sentence("team", { number });
    this.totals = teams.map((points, i) => [team(i + 1), points]);
    return {
      totals: this.totals,
      lines: lines.map(([number, item, points], place) => [`${team(number)} ${this.name(facts.finish[place])}`, item, points]),
    };
  }

  evaluateCaptures() {
    const score = this.playbook.captures(this.facts());
    this.cards.showPoints(score && this.words.players.map((player) => [player, score.points[player] ?? 0]));
    if (!score) return {};
    return {
      totals: this.words.players.map((player) => [this.name(player), score.points[player] ?? 0]),
      lines: this.words.players.flatMap((player) => (score.lines[player] ?? []).map(([item, points]) => [this.name(player), item, points])),
    };
  }

  sentence(key, values = {}) { return makiyaku.fill(this.words[key], values); }
  name(player) { return this.words.names?.[player] ?? player; }

  // ---- Preview of the server

  requestPreviewSoon() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.requestPreview(), 150);
  }

  async requestPreview() {
    const request = ++this.previewRequests;
    let answer;
    try {
      const response = await fetch(this.form.dataset.preview, { method: "POST", body: new FormData(this.form) });
      if (!response.ok) return;
      answer = await response.json();
    } catch {
      return; // offline: the round can be saved all the same
    }
    if (request !== this.previewRequests || typeof answer.html !== "string") return; // a newer request has been sent
    this.preview.innerHTML = answer.html;
    this.readOut();
    const at = document.activeElement; // what the preview moves down stays in view
    if (at.form === this.form && this.preview.compareDocumentPosition(at) & Node.DOCUMENT_POSITION_FOLLOWING) at.scrollIntoView({ block: "nearest" });
    this.deals.show(answer.deals);
  }
};
