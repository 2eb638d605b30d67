// The round on the form: laid there as it is recorded so far, kept while it is typed, saved into the out-box.
makiyaku.Writing = class {
  constructor(form, { table, telling, outbox, panels, requests, look }) {
    Object.assign(this, { form, table, telling, outbox, panels, requests, look });
    this.round = null; // on the form: {number, seen, facts, isCorrection}
    this.touches = 0;
    this.settled = 0; // how many touches there had been when the form was laid as it is recorded
    this.isReady = false;
    this.isSaving = false;
    this.isWanted = false; // saving once more was asked for meanwhile
    const words = { ...telling.words, players: table.players };
    this.taker = new makiyaku.RoundForm(form, { playbook: table.playbook, words, changed: () => this.changed(), shown: () => this.drawSave() });
    this.reason = document.getElementById("reason");
    form.addEventListener("submit", (event) => this.submitted(event));
    form.addEventListener("click", ({ target }) => { if ("reason" in target.dataset) this.giveReason(target.textContent); });
  }

  get draftKey() { return this.table.draftKey(this.round); }

  // What keeps the round on the form from being saved, in words.
  problem(facts = this.taker.facts()) {
    const cards = this.taker.cards.cards().map((each) => each.dataset.card);
    return this.telling.problem(facts, { cards, players: this.table.players });
  }

  changed() {
    this.touches += 1;
    if (this.isReady && this.round) this.outbox.keepDraft(this.draftKey, { ...this.taker.typedSoFar(), reason: this.reason.value });
  }

  // The button to save stays in sight once there is something to save, and beside it what that brings.
  drawSave() {
    if (!this.taker || !this.round) return;
    const facts = this.taker.facts();
    const isSavable = !this.problem(facts) && !makiyaku.Writing.isSame(this.round.facts, facts);
    const totals = (isSavable && this.taker.totals) || [];
    const points = document.getElementById("save-points");
    const wrong = this.telling.tooMany(facts.deals);
    const box = document.getElementById("save-problem");
    const isNew = box.hidden && wrong;
    this.tell(wrong?.sentence, wrong?.deal); // what else was wrong is typed anew
    if (isNew) box.scrollIntoView({ block: "nearest" });
    this.form.classList.toggle("is-savable", isSavable);
    makiyaku.set(points, "hidden", !totals.length);
    makiyaku.Panels.list(points, totals.map(([name, points]) => [name, makiyaku.signed(points)]));
  }

  giveReason(reason) {
    this.reason.value = reason;
    this.form.dispatchEvent(new Event("input"));
  }

  draft(key = this.draftKey) { return this.outbox.draft(key).catch(() => null); }

  // ---- Showing a round

  // Put a round on the form: what is recorded of it, who sits where, what was typed of it before.
  async show(round) {
    const { taker, form } = this;
    const early = this.round ? {} : taker.fields.changed(); // tapped before this script was there
    const values = this.table.playbook.kind === "kankei" ? this.seat(round) : this.usualTeams();
    this.round = round;
    const title = this.telling.title(round.number);
    document.getElementById("round-title").textContent = round.isCorrection ? this.telling.say("correct", { round: this.telling.inSentence(round.number) }) : title;
    document.getElementById("reason-field").hidden = !round.isCorrection;
    form.action = `${this.requests.page.rounds}${round.number}/`;
    form.dataset.preview = `${form.action}preview/`;
    form.elements.seen.value = round.seen;
    this.complain("");
    this.drawStanding();
    this.settled = this.touches;
    taker.deals.edited = round.isCorrection ? round.facts.deals?.length ?? 0 : 0; // the last deal, and so the only one, is open
    taker.fill({ ...values, ...(round.facts ? makiyaku.RoundFields.values(round.facts) : {}), ...early });
    if (Object.keys(early).length) { this.changed(); return; }
    this.reason.value = "";
    const before = this.touches;
    const draft = this.isReady ? await this.draft() : null;
    if (!draft || this.round !== round || this.touches !== before) return; // what is typed meanwhile stays
    taker.fill(draft);
    this.reason.value = draft.reason ?? "";
  }

  // What everybody has so far, beside their names, and what the table does before this deal.
  drawStanding() {
    const totals = this.table.totals(Infinity);
    this.form.querySelectorAll("[data-total-of]").forEach((box) => {
      makiyaku.write(box, makiyaku.signed(totals[box.dataset.totalOf]));
      box.hidden = !this.table.complete().length;
    });
    makiyaku.Panels.sentences(document.getElementById("form-advice"), this.round.isCorrection ? [] : this.panels.nextDeal());
  }

  seat(round) {
    const state = this.table.stateBefore(round.number);
    this.taker.seats = state.seats;
    this.noteParted(round);
    const { seats } = round.facts ? this.table.stateBefore(round.number, [round.facts]) : state;
    this.taker.ring.seat(seats, this.telling.title(round.number));
    const dealer = this.form.querySelector(".who-deals");
    dealer.open = false; // the ring asks who deals first of all
    document.getElementById("deal-3").after(dealer);
    return { dealer: state.dealer ?? "", trump: state.trump };
  }

  // Whether those who have to have changed places already.
  noteParted(round) { this.taker.hasParted = (round.facts?.deals?.length ?? 0) >= this.table.playbook.parted_before; }

  usualTeams() { return makiyaku.RoundFields.values({ teams: this.table.playbook.usualTeams(this.table.players) }); }

  // Whether another round than the one on the form is to be taken down now, and nothing has been typed: neither kept,
  // nor here while another tab has saved the round and taken what was kept away.
  async isOutdated() {
    const { number, seen } = this.table.next();
    const isOther = this.round && !this.round.isCorrection && (number !== this.round.number || seen !== this.round.seen);
    return isOther && this.touches === this.settled && !(await this.draft());
  }

  // ---- Saving

  async submitted(event) {
    event.preventDefault();
    this.taker.catchUp(); // what is wrong is told after it
    if (!this.isReady) { await this.sendAsItIs(); return; }
    if (this.isSaving) { this.isWanted = true; return; } // a double tap, or the next deal already
    this.isSaving = true;
    try {
      do { this.isWanted = false; await this.save(); } while (this.isWanted && this.panels.shown === "form");
    } catch (error) {
      this.complain(this.telling.words.no_store);
      throw error;
    } finally { this.isSaving = false; }
  }

  // Nothing can be kept here. The form leaves the page only where somebody answers: a page that says "no network" has no way back.
  async sendAsItIs() {
    if (this.isSaving) return;
    this.isSaving = true;
    const isAnswered = await this.requests.table();
    this.isSaving = false;
    if (isAnswered) this.form.submit();
    else this.complain(this.telling.words.no_store);
  }

  async save() {
    let facts = this.taker.facts();
    const wrong = this.problem(facts);
    this.complain(wrong?.sentence, wrong?.deal);
    if (wrong) return;
    facts = await this.askRare(facts);
    if (!facts) return;
    if (!makiyaku.Writing.isSame(this.round.facts, facts) && !(await this.keep(facts))) return;
    makiyaku.touch.buzz(30);
    this.goOn(this.table.playbook.isComplete(facts));
  }

  // Put the round into the out-box. Return whether it is there.
  async keep(facts) {
    const { words } = this.telling;
    const { number, seen, isCorrection } = this.round;
    const reason = isCorrection ? this.reason.value.trim() : "";
    if (isCorrection && !reason) { this.reason.focus(); this.complain(words.reason_needed); return false; }
    const label = this.telling.label(this.table.now.table, number, facts);
    const key = this.draftKey;
    const told = this.telling.lines(facts);
    if (!(await this.outbox.add(this.requests.make("round", number, seen, { facts, seen, reason }, label, told)))) {
      this.complain(words.kept_elsewhere);
      return false;
    }
    await this.outbox.dropDraft(key);
    await this.look();
    return true;
  }

  // A result so rare that it is asked for: all the face cards, and nobody declared it. Return the facts to be saved, with
  // the declaration if there was one; nothing to save nothing.
  async askRare(facts) {
    const known = this.round.facts?.deals ?? [];
    const asked = (facts.deals ?? []).map((deal, i) => ({ number: i + 1, ...deal, declarations: this.table.playbook.undeclared(i + 1, deal) }))
      .find(({ declarations }, i) => declarations.length && !makiyaku.Writing.isSame(known[i] ?? null, facts.deals[i]));
    if (!asked) return facts;
    const choices = this.declarers(asked);
    const answer = await makiyaku.ask("rare", this.telling.say("rare", asked), choices);
    if (answer === "no") return null;
    if (answer !== "yes") {
      this.form.elements[`deal_${asked.number}_declaration`].value = answer;
      this.form.dispatchEvent(new Event("input"));
    }
    return this.taker.facts();
  }

  // Who can have declared what in a deal, as choices: what the side with all the cards made, what the other missed.
  declarers({ declarations, kankei }) {
    const { words } = this.telling;
    const sides = kankei ? ["kankei", "mukankei"] : ["mukankei", "kankei"];
    return sides.flatMap((side, i) => {
      const own = declarations.filter((each) => words.by_kankei.includes(each) === (side === "kankei"));
      const title = [this.telling.say(i ? "declared_missed" : "declared", { side: words[side] })];
      return own.length ? [title, ...own.map((each) => [each, words.declarations[each]])] : [];
    });
  }

  // Bring the deal that is to be counted into view, once there are some; where a round is corrected, what is counted of it.
  goToDeal() {
    const counted = this.round.isCorrection ? this.form.querySelector(".deal:not(.is-short), .card-taps, .tap-order") : null;
    if (counted || this.table.next().facts) (counted ?? this.form.querySelector(".deal.is-open"))?.scrollIntoView();
  }

  static isSame(one, other) {
    const inOrder = (_, each) => (each && typeof each === "object" && !Array.isArray(each) ? Object.fromEntries(Object.entries(each).sort()) : each);
    return JSON.stringify(one, inOrder) === JSON.stringify(other, inOrder);
  }

  // Say what is wrong at the deal it lies in, or else above the button to save.
  tell(sentence = "", deal = 0) {
    const box = document.getElementById("save-problem");
    const before = document.querySelector(deal ? `#deal-${deal} .deal-other` : this.round?.isCorrection ? "#reason-field" : "#points-so-far");
    if (box.previousElementSibling !== before) before.after(box);
    makiyaku.write(box, sentence);
    makiyaku.set(box, "hidden", !sentence);
    return box;
  }

  complain(sentence, deal) {
    const box = this.tell(sentence, deal);
    if (sentence) { makiyaku.touch.buzz(60); box.scrollIntoView({ block: "center" }); }
  }

  // After a round is in the out-box: its next deal, or hand the phone on.
  goOn(isOver) {
    const { table, telling, panels } = this;
    const all = table.rounds();
    if (table.isFinished(all)) { panels.show(table.toAccept() ? "check" : "end", true); return; }
    if (isOver) { makiyaku.announce(""); panels.show("pass", true); this.show(table.next(all)); return; }
    makiyaku.announce(telling.say("same_dealer", { number: (all.at(-1).facts.deals?.length ?? 0) + 1 }));
    panels.show("form");
    this.goToDeal();
    this.round = table.next(all); // the form shows it already, and perhaps the beginning of its next deal
    this.noteParted(this.round);
    this.taker.deals.edited = 0;
    this.settled = this.touches;
    this.form.elements.seen.value = this.round.seen;
    this.outbox.keepDraft(this.draftKey, { ...this.taker.typedSoFar(), reason: "" });
    this.drawSave();
  }
};
