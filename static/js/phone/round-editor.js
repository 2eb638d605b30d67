// The round in the form: filled in with what is recorded, stored as a draft while it is typed, saved to the out-box.
makiyaku.RoundEditor = class {
  constructor(form, { table, wording, outbox, panels, requests, refreshItems }) {
    Object.assign(this, { form, table, wording, outbox, panels, requests, refreshItems });
    this.round = null; // in the form: {number, seen, facts, isCorrection}
    this.changes = 0;
    this.unchangedAt = 0; // the value of `changes` when the form was last filled in
    this.hasDraft = false; // the form was filled in with more than is recorded
    this.isReady = false;
    this.isSaving = false;
    this.isSaveRequested = false; // save again after the current save
    this.overtaken = new makiyaku.Overtaken(this);
    const words = { ...wording.words, players: table.players };
    this.roundForm = new makiyaku.RoundForm(form, { playbook: table.playbook, words, changed: () => this.changed(), shown: () => this.drawSave() });
    this.reason = document.getElementById("reason");
    form.addEventListener("submit", (event) => this.submitted(event));
    form.addEventListener("click", ({ target }) => { if ("reason" in target.dataset) this.setReason(target.textContent.trim()); });
  }

  get draftKey() { return this.table.draftKey(this.round); }

  // What prevents saving: {sentence, deal}, or null.
  problem(facts = this.roundForm.facts()) {
    const cards = this.roundForm.cards.cards().map((each) => each.dataset.card);
    return this.wording.problem(facts, { cards, players: this.table.players });
  }

  changed() {
    this.changes += 1;
    if (this.isReady && this.round) this.keepDraft(this.reason.value);
  }

  keepDraft(reason) { return this.outbox.keepDraft(this.draftKey, { ...this.roundForm.typedSoFar(), reason, preselected_trump: this.preselectedTrump }); }

  // The save button stays in view once there is something to save, with the points beside it.
  drawSave() {
    if (!this.roundForm || !this.round) return;
    const facts = this.roundForm.facts();
    const isSavable = !this.problem(facts) && !makiyaku.RoundEditor.isSame(this.round.facts, facts);
    const totals = (isSavable && this.roundForm.totals) || [];
    this.overtaken.draw(facts);
    const points = document.getElementById("save-points");
    const wrong = this.wording.tooMany(facts.deals);
    const box = document.getElementById("save-problem");
    const isNew = box.hidden && wrong;
    this.showProblem(wrong?.sentence, wrong?.deal); // other problems are reported when saving
    if (isNew) box.scrollIntoView({ block: "nearest" });
    this.form.classList.toggle("is-savable", isSavable);
    makiyaku.set(points, "hidden", !totals.length);
    makiyaku.Panels.list(points, totals.map(([name, points]) => [name, makiyaku.signed(points)]));
  }

  setReason(reason) {
    this.reason.value = reason;
    this.form.dispatchEvent(new Event("input"));
  }

  isTyped() { return this.hasDraft || this.changes !== this.unchangedAt; }

  draft(key = this.draftKey) { return this.outbox.draft(key).catch(() => null); }

  // ---- Showing a round

  // Show a round in the form: its recorded facts, its seats, its draft.
  async show(round) {
    const { roundForm, form } = this;
    const early = this.round ? {} : roundForm.fields.changed(); // tapped before the script had loaded
    const values = this.table.playbook.kind === "kankei" ? this.arrangeSeats(round) : this.usualTeams();
    this.round = round;
    this.preselectedTrump = this.trumpOf(round);
    this.shownBeginning = this.beginning(round.number);
    const title = this.wording.roundTitle(round.number);
    document.getElementById("round-title").textContent = round.isCorrection ? this.wording.sentence("correct", { round: this.wording.roundInSentence(round.number) }) : title;
    document.getElementById("reason-field").hidden = !round.isCorrection;
    form.action = `${this.requests.page.rounds}${round.number}/`;
    form.dataset.preview = `${form.action}preview/`;
    form.elements.seen.value = round.seen;
    this.reportProblem("");
    this.drawTotals();
    this.unchangedAt = this.changes;
    this.hasDraft = false;
    const edited = round.isCorrection ? round.facts.deals?.length ?? 0 : 0; // the last deal, and so the only one, is open
    roundForm.fill({ ...values, ...(round.facts ? makiyaku.RoundFields.values(round.facts) : {}), ...early }, edited);
    if (Object.keys(early).length) { this.changed(); return; }
    this.reason.value = "";
    const before = this.changes;
    const draft = this.isReady ? await this.draft() : null;
    if (!draft || this.round !== round || this.changes !== before) return; // something was typed meanwhile
    this.hasDraft = true;
    const isPreselected = draft.trump && draft.trump === draft.preselected_trump; // it may be another one since
    roundForm.fill(isPreselected ? { ...draft, trump: this.preselectedTrump } : draft, edited);
    this.reason.value = draft.reason ?? "";
  }

  // Show the round to be recorded now; one that others have recorded since something was typed for it comes first.
  async showNext() { await this.show((await this.overtaken.round()) ?? this.table.next()); }

  // Drop what is in the form.
  async leave() {
    await this.outbox.dropDraft(this.draftKey);
    await this.showNext();
  }

  // The players' totals beside their names, and what the table does before this deal.
  drawTotals() {
    if (!this.round) return;
    const totals = this.table.totals();
    this.form.querySelectorAll("[data-total-of]").forEach((box) => {
      makiyaku.write(box, makiyaku.signed(totals[box.dataset.totalOf]));
      box.hidden = !this.table.completeRounds().length && !this.table.before.points.length;
    });
    this.panels.sentences(document.getElementById("form-advice"), this.round.isCorrection ? [] : this.panels.nextDeal());
  }

  arrangeSeats(round) {
    const state = this.table.stateBefore(round.number);
    this.roundForm.seats = state.seats;
    this.updateSeatsChanged(round);
    const { seats } = round.facts ? this.table.stateBefore(round.number, [round.facts]) : state;
    this.roundForm.ring.seat(seats, this.wording.roundTitle(round.number));
    const dealer = this.form.querySelector(".who-deals");
    dealer.open = false; // the ring asks for the first dealer
    document.getElementById("deal-3").after(dealer);
    return { dealer: state.dealer ?? "", trump: state.trump };
  }

  // The change of seats is announced until the deals before it are recorded.
  updateSeatsChanged(round) { this.roundForm.hasChangedSeats = (round.facts?.deals?.length ?? 0) >= this.table.playbook.seat_change_before; }

  usualTeams() { return makiyaku.RoundFields.values({ teams: this.table.playbook.usualTeams(this.table.players) }); }

  // How a round begins, to be compared.
  beginning(number) { return JSON.stringify(this.table.stateBefore(number)); }

  // Whether another round is to be recorded now, or this one begins differently, since an earlier one was corrected; and it has
  // no draft with more than is recorded: neither stored nor in the form, since another tab may have saved the round and dropped
  // the draft.
  async isOutdated() {
    const { number, seen } = this.table.next();
    const isOther = this.round && !this.round.isCorrection && (number !== this.round.number || seen !== this.round.seen || this.shownBeginning !== this.beginning(number));
    return isOther && this.changes === this.unchangedAt && (!this.hasDraft || !(await this.draft()));
  }

  // The trump that is preselected: the recorded one, or that of the round's number.
  trumpOf({ number, facts }) { return facts?.trump ?? this.table.stateBefore(number)?.trump; }

  // Preselect the trump anew where something is typed, unless another one was chosen: how many rounds are planned has changed.
  followTrump() {
    if (!this.round || !this.isTyped() || this.trumpOf(this.round) === this.preselectedTrump) return;
    const { trump } = this.form.elements;
    const isPreselected = trump.value === this.preselectedTrump;
    this.preselectedTrump = this.trumpOf(this.round);
    if (isPreselected) trump.value = this.preselectedTrump;
    this.form.dispatchEvent(new Event("input")); // drawn, and kept in the draft
  }

  // ---- Saving

  async submitted(event) {
    event.preventDefault();
    this.roundForm.evaluateNow(); // problems are reported after it
    if (!this.isReady) { await this.submitDirectly(); return; }
    if (this.isSaving) { this.isSaveRequested = true; return; } // a double tap, or the next deal already
    this.isSaving = true;
    try {
      do { this.isSaveRequested = false; await this.save(); } while (this.isSaveRequested && this.panels.shown === "form");
    } catch (error) {
      this.reportProblem(this.wording.words.no_store);
      throw error;
    } finally { this.isSaving = false; }
  }

  // Nothing can be stored. The form is submitted only if the server answers: the browser's offline page has no way back.
  async submitDirectly() {
    if (this.isSaving) return;
    this.isSaving = true;
    const isAnswered = await this.requests.table();
    this.isSaving = false;
    if (isAnswered) this.form.submit();
    else this.reportProblem(this.wording.words.no_store);
  }

  async save() {
    let facts = this.roundForm.facts();
    const wrong = this.problem(facts);
    this.reportProblem(wrong?.sentence, wrong?.deal);
    if (wrong) return;
    facts = await this.confirmRare(facts);
    if (!facts) return;
    if (!makiyaku.RoundEditor.isSame(this.round.facts, facts) && !(await this.addToOutbox(facts))) return;
    makiyaku.feedback.buzz(30);
    this.continueAfterSave(this.table.playbook.isComplete(facts));
  }

  // Return whether the round is in the out-box.
  async addToOutbox(facts) {
    const { words } = this.wording;
    const { number, seen, isCorrection } = this.round;
    const reason = isCorrection ? this.reason.value.trim() : "";
    if (isCorrection && !reason) { this.reason.focus(); this.reportProblem(words.reason_needed); return false; }
    const label = this.wording.label(this.table.server.table, number, facts);
    const key = this.draftKey;
    const lines = this.wording.lines(facts);
    await this.overtaken.dropRefused();
    if (!(await this.outbox.add(this.requests.make("round", number, seen, { facts, seen, reason, players: this.table.players }, label, lines)))) {
      this.reportProblem(words.kept_elsewhere);
      return false;
    }
    await this.outbox.dropDraft(key);
    await this.refreshItems();
    return true;
  }

  // Ask whether all face cards were taken without a declaration, which is rare. Return the facts to be saved, with the
  // declaration if there was one; null to save nothing.
  async confirmRare(facts) {
    const known = this.round.facts?.deals ?? [];
    const rare = (facts.deals ?? []).map((deal, i) => ({ number: i + 1, ...deal, declarations: this.table.playbook.undeclared(i + 1, deal) }))
      .find(({ declarations }, i) => declarations.length && !makiyaku.RoundEditor.isSame(known[i] ?? null, facts.deals[i]));
    if (!rare) return facts;
    const choices = this.declarers(rare);
    const answer = await makiyaku.openDialog("rare-deal", this.wording.sentence("rare", rare), choices);
    if (answer === "no") return null;
    if (answer !== "yes") {
      this.form.elements[`deal_${rare.number}_declaration`].value = answer;
      this.form.dispatchEvent(new Event("input"));
    }
    return this.roundForm.facts();
  }

  // The possible declarations of a deal as choices: those the side with all cards made, and those the other failed.
  declarers({ declarations, kankei }) {
    const { words } = this.wording;
    const sides = kankei ? ["kankei", "mukankei"] : ["mukankei", "kankei"];
    return sides.flatMap((side, i) => {
      const own = declarations.filter((each) => words.by_kankei.includes(each) === (side === "kankei"));
      const title = [this.wording.sentence(i ? "declared_missed" : "declared", { side: words[side] })];
      return own.length ? [title, ...own.map((each) => [each, words.declarations[each]])] : [];
    });
  }

  // Scroll to the open deal after the first one; in a correction to the counts; first to what others have recorded.
  scrollToDeal() {
    if (this.overtaken.scrollTo()) return;
    const counted = this.round.isCorrection ? this.form.querySelector(".deal:not(.is-short), .card-taps, .tap-order") : null;
    if (counted || this.table.next().facts) (counted ?? this.form.querySelector(".deal.is-open"))?.scrollIntoView();
  }

  // Whether facts are equal, whatever the order of their keys and of the kankei.
  static isSame(one, other) {
    const inOrder = (key, each) => {
      if (Array.isArray(each)) return key === "kankei" ? [...each].sort() : each;
      return each && typeof each === "object" ? Object.fromEntries(Object.entries(each).sort()) : each;
    };
    return JSON.stringify(one, inOrder) === JSON.stringify(other, inOrder);
  }

  // Show a problem at its deal, or else above the save button.
  showProblem(sentence = "", deal = 0) {
    const box = document.getElementById("save-problem");
    const before = document.querySelector(deal ? `#deal-${deal} .deal-other` : this.round?.isCorrection ? "#reason-field" : "#points-so-far");
    if (box.previousElementSibling !== before) before.after(box);
    makiyaku.write(box, sentence);
    makiyaku.set(box, "hidden", !sentence);
    return box;
  }

  reportProblem(sentence, deal) {
    const box = this.showProblem(sentence, deal);
    if (sentence) { makiyaku.feedback.buzz(60); box.scrollIntoView({ block: "center" }); }
  }

  // After saving: the next deal, passing the phone on, or the end.
  continueAfterSave(isOver) {
    const { table, wording, panels } = this;
    const all = table.rounds();
    this.unchangedAt = this.changes;
    this.hasDraft = false;
    const isElsewhere = table.next(all).number !== this.round.number; // others have recorded it
    if (table.isOver()) { panels.show("pass", true); this.show(table.next(all)); return; }
    if (table.isFinished(all)) { panels.show(table.roundToAccept() ? "check" : "end", true); return; }
    if (isOver || isElsewhere) { makiyaku.announce(""); panels.show("pass", true); this.show(table.next(all)); return; }
    makiyaku.announce(wording.sentence("next_deal", { deal: (all.at(-1).facts.deals?.length ?? 0) + 1 }));
    panels.show("form");
    this.scrollToDeal();
    this.round = table.next(all); // the form shows it already, perhaps with the beginning of its next deal
    this.updateSeatsChanged(this.round);
    this.roundForm.deals.edited = 0;
    this.hasDraft = !makiyaku.RoundEditor.isSame(this.round.facts, this.roundForm.facts());
    this.form.elements.seen.value = this.round.seen;
    this.preselectedTrump = this.trumpOf(this.round);
    this.keepDraft("");
    this.drawSave();
  }
};
