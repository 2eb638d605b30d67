// The form for a round: its counters, taps and ring, what it holds as facts, and what that scores. With a playbook
// it judges by itself, at once; without one it asks the server. Everything works without it; the server decides.
window.makiyaku = window.makiyaku || {};
makiyaku.RoundForm = class {
  constructor(form, { playbook = null, words = {}, changed = () => {} } = {}) {
    this.form = form;
    this.playbook = playbook;
    this.words = words;
    this.changed = changed;
    this.preview = document.getElementById("preview");
    this.isKankei = Boolean(form.querySelector(".deal"));
    this.taps = [...form.querySelectorAll(".tap-player")];
    this.asked = 0;
    form.addEventListener("input", (event) => this.typed(event));
    form.addEventListener("change", () => this.draw());
    form.addEventListener("click", (event) => this.clicked(event));
    form.querySelectorAll("[data-one-by-one=close]").forEach((details) => { details.open = false; });
    this.show();
  }

  // ---- Reading

  static number(input) { return input.value === "" ? null : Number(input.value); }

  counters(deal) { return [...deal.querySelectorAll(".counter input")]; }

  chosen(name) {
    return [...this.form.querySelectorAll(`[name="${name}"]`)].filter((input) => input.checked).map((input) => input.value);
  }

  // A deal as typed: what is not filled in is left out.
  deal(number) {
    const value = (key) => this.form.elements[`deal_${number}_${key}`]?.value ?? "";
    const typed = {};
    for (const side of ["kankei", "mukankei"]) if (value(side) !== "") typed[side] = Number(value(side));
    for (const key of ["declaration", "trump"]) if (value(key)) typed[key] = value(key);
    return typed;
  }

  deals() {
    const deals = [1, 2, 3].map((number) => this.deal(number));
    while (deals.length && !Object.keys(deals.at(-1)).some((key) => key !== "trump")) deals.pop();
    return deals;
  }

  facts() {
    if (this.isKankei) {
      const { dealer, trump } = this.form.elements;
      const facts = { dealer: dealer.value, trump: trump.value, kankei: this.chosen("kankei"), deals: this.deals() };
      if (!facts.trump) delete facts.trump;
      if (this.form.elements.cut_off?.checked) facts.cut_off = true;
      return facts;
    }
    if (this.taps.length) return this.finish();
    const captured = {};
    this.form.querySelectorAll(".captures input:checked").forEach((input) => (captured[input.value] ??= []).push(input.name));
    return { captured, exposed: this.chosen("exposed") };
  }

  finish() {
    const players = this.taps.map((tap) => tap.dataset.player);
    const finish = players.filter((player) => this.placeOf(player)).sort((a, b) => this.placeOf(a) - this.placeOf(b));
    const of = (team) => players.filter((player) => this.chosen(`team_${player}`)[0] === team);
    const teams = [of("1"), of("2")];
    const usual = [0, 1].map((team) => players.filter((_, i) => i % 2 === team));
    return JSON.stringify(teams) === JSON.stringify(usual) ? { finish } : { finish, teams };
  }

  // ---- Filling in

  // Show these values, by field; fields not named are emptied.
  fill(values) {
    for (const input of this.form.elements) {
      if (!input.name || ["hidden", "submit"].includes(input.type) || input.tagName === "BUTTON") continue;
      const value = values[input.name] ?? "";
      if (input.type === "checkbox" || input.type === "radio") {
        const among = Array.isArray(value) ? value : [value === true ? input.value : String(value)];
        input.checked = among.includes(input.value);
      } else {
        input.value = value;
      }
    }
    this.show();
  }

  // The values of facts, by field.
  static values(facts) {
    const values = {};
    for (const [key, value] of Object.entries(facts)) {
      if (key === "deals") {
        value.forEach((deal, i) => Object.entries(deal).forEach(([part, each]) => { values[`deal_${i + 1}_${part}`] = each; }));
      } else if (key === "finish") {
        value.forEach((player, i) => { values[`place_${player}`] = i + 1; });
      } else if (key === "teams") {
        value.forEach((team, i) => team.forEach((player) => { values[`team_${player}`] = i + 1; }));
      } else if (key === "captured") {
        Object.entries(value).forEach(([player, cards]) => cards.forEach((card) => { values[card] = player; }));
      } else {
        values[key] = value;
      }
    }
    return values;
  }

  // Every field with what is in it: the half-typed round, to be kept.
  typedSoFar() {
    const values = {};
    for (const input of this.form.elements) {
      if (!input.name || ["hidden", "submit"].includes(input.type) || input.tagName === "BUTTON") continue;
      if (input.type === "checkbox") {
        if (input.checked) (values[input.name] ??= []).push(input.value);
      } else if (input.type !== "radio" || input.checked) {
        if (input.value !== "") values[input.name] = input.value;
      }
    }
    return values;
  }

  // ---- Being used

  typed(event) {
    const input = event.target;
    if (input.name === "kankei" && this.chosen("kankei").length > 2) input.checked = false; // they are two
    this.show();
    this.changed();
  }

  clicked(event) {
    const step = event.target.closest("[data-step]");
    const fill = event.target.closest("[data-fill]");
    const tap = event.target.closest(".tap-player");
    if (step) {
      const input = step.parentElement.querySelector("input");
      this.set(input, (makiyaku.RoundForm.number(input) ?? 0) + Number(step.dataset.step));
    } else if (fill) {
      this.set(fill.closest(".counter").querySelector("input"), Number(fill.value));
    } else if (tap) {
      this.tap(tap.dataset.player);
    } else {
      this.tapCard(event);
    }
  }

  // The two counters of a deal share sixteen face cards: a button that gives one more takes it from the other. What
  // is typed stays as typed, and changes nothing else.
  set(input, value) {
    const most = Number(input.max);
    const other = this.counters(input.closest(".deal")).find((each) => each !== input);
    input.value = Math.max(Number(input.min), Math.min(most, value));
    if (other.value !== "" && Number(other.value) + Number(input.value) > most) other.value = most - input.value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  // ---- Showing

  show() {
    this.draw();
    if (!this.playbook) { this.askSoon(); return; }
    if (this.isKankei) this.judge();
    else if (this.playbook.finishes) this.judgeFinish();
    else this.askSoon();
  }

  draw() {
    this.form.querySelectorAll(".deal").forEach((deal) => { this.drawPips(deal); this.drawFills(deal); });
    this.drawSeats();
    this.drawTaps();
    this.drawCards();
  }

  drawPips(deal) {
    const [kankei, mukankei] = this.counters(deal).map((input) => makiyaku.RoundForm.number(input) ?? 0);
    deal.querySelectorAll(".pip").forEach((pip, i) => {
      pip.classList.toggle("is-kankei", i < kankei);
      pip.classList.toggle("is-mukankei", i >= kankei && i >= 16 - mukankei);
    });
  }

  // The button beside a counter: what wins, or what the other side leaves.
  drawFills(deal) {
    const inputs = this.counters(deal);
    deal.querySelectorAll("[data-fill]").forEach((button) => {
      const own = button.closest(".counter").querySelector("input");
      const other = makiyaku.RoundForm.number(inputs.find((input) => input !== own));
      const value = Math.min(Number(button.dataset.fill), 16 - (other ?? 0));
      button.value = String(value);
      button.querySelector("[data-number]").textContent = value;
    });
  }

  drawSeats() {
    const dealer = this.form.elements.dealer?.value;
    const mark = document.getElementById("dealer-mark");
    this.form.querySelectorAll(".ring .seat").forEach((seat, i) => {
      const input = seat.querySelector("input");
      const isDealer = input.value === dealer;
      seat.classList.toggle("is-dealer", isDealer);
      const shown = seat.querySelector(".seat-dealer");
      if (shown && !isDealer) shown.remove();
      if (!shown && isDealer && mark) seat.querySelector(".seat-name").after(mark.content.cloneNode(true));
      seat.querySelector(".seat-number").textContent = i + 1;
      if (this.form.dataset.dealerSitsOut === "yes") {
        input.disabled = isDealer;
        if (isDealer) input.checked = false;
      }
    });
    const trump = this.chosen("trump")[0];
    const suit = this.form.querySelector(".ring-centre .suit");
    const named = trump && this.form.querySelector(`[name=trump][value=${trump}] + span .suit`);
    if (suit && named) suit.replaceWith(named.cloneNode(true));
    const both = this.form.querySelector("[data-dealer-trump]");
    if (both) {
      const chosen = this.form.elements.dealer.selectedOptions[0];
      both.replaceChildren(chosen ? chosen.textContent : "", " ", ...(named ? [named.cloneNode(true)] : []));
    }
  }

  // Which deals are open, won or lost, and which declarations can have been made in them.
  showDeals(deals) {
    deals.forEach((deal, i) => {
      const box = document.getElementById(`deal-${i + 1}`);
      box.classList.remove("is-waiting", "is-open", "is-won", "is-lost");
      box.classList.add(`is-${deal.state}`);
      // A deal that has something in it is never left out without a word: the answer says that it cannot follow.
      const waiting = deal.state === "waiting" && this.counters(box).every((input) => input.value === "");
      if (deal.state === "waiting" && !waiting) box.classList.replace("is-waiting", "is-open");
      box.querySelectorAll("input, button").forEach((field) => { field.disabled = waiting; });
      let isAnyShown = false;
      box.querySelectorAll("[data-declaration]").forEach((chip) => {
        const isLegal = chip.dataset.declaration === "" || deal.declarations.includes(chip.dataset.declaration);
        const input = chip.querySelector("input");
        chip.hidden = !isLegal && !input.checked;
        isAnyShown ||= chip.dataset.declaration !== "" && !chip.hidden;
      });
      const declarations = box.querySelector("[data-declarations]");
      if (declarations) declarations.hidden = !isAnyShown;
    });
    // Only a round that goes on can be cut off.
    const cutOff = this.form.querySelector("[data-cut-off]");
    const goesOn = deals.some((deal, i) => i > 0 && deal.state === "open");
    if (cutOff) cutOff.hidden = !goesOn && !cutOff.querySelector("input").checked;
  }

  // ---- Judging here

  judge() {
    const deals = [1, 2, 3].map((number) => this.deal(number));
    const { outcomes } = this.playbook.round(deals, false);
    const states = deals.map((deal, i) => {
      const outcome = outcomes[i];
      const isReached = i === 0 || (i === outcomes.length && outcomes[i - 1].won);
      return {
        state: outcome ? (outcome.won ? "won" : "lost") : isReached ? "open" : "waiting",
        declarations: this.playbook.legal(i + 1, deal),
      };
    });
    this.showDeals(states);
    const facts = this.facts();
    const judged = this.playbook.round(facts.deals, facts.cut_off);
    const hints = [];
    const isLost = judged.outcomes[0] && !judged.outcomes[0].won;
    const mayPart = !this.hasParted && !(isLost && this.playbook.parted_before > 1);
    if (facts.kankei.length === 2 && this.seats && mayPart) {
      const move = this.playbook.seatChange(this.seats, facts.kankei, facts.dealer);
      if (move) hints.push(this.say(this.playbook.parted_before === 1 ? "seat_change" : "seat_change_later", { mover: this.name(move[0]), other: this.name(move[1]) }));
    }
    if (!judged.isOver && judged.outcomes.length) hints.push(...this.playbook.choosers[judged.outcomes.length]);
    if (judged.problem?.problem) hints.push(judged.problem.problem);
    this.showPoints(hints, judged.lines.length ? [[this.words.kankei, judged.points], [this.words.mukankei, -judged.points]] : [], judged.lines, judged.isOver);
  }

  judgeFinish() {
    const { finish, teams } = this.finish();
    const players = this.taps.map((tap) => tap.dataset.player);
    const second = teams ? teams[1] : players.filter((_, i) => i % 2);
    const known = this.playbook.finishes[finish.map((player) => (second.includes(player) ? "2" : "1")).join("")];
    const totals = known ? known.teams.map((points, i) => [this.say("team", { number: i + 1 }), points]) : [];
    const lines = (known?.lines ?? []).map(([team, item, points]) => [this.say("team", { number: team }), item, points]);
    this.showPoints([], totals, lines, true);
  }

  say(key, values = {}) { return makiyaku.fill(this.words[key], values); }
  name(player) { return this.words.names?.[player] ?? player; }

  showPoints(hints, totals, lines, isOver) {
    const shown = document.getElementById("points").content.cloneNode(true);
    const hint = shown.querySelector("[data-hint]");
    hints.forEach((words) => { const each = hint.cloneNode(true); each.textContent = words; hint.before(each); });
    hint.remove();
    const total = shown.querySelector("[data-total]");
    totals.forEach(([name, points]) => {
      const each = total.cloneNode(true);
      each.querySelector("dt").textContent = name;
      each.querySelector("dd").textContent = makiyaku.signed(points);
      total.before(each);
    });
    const row = shown.querySelector("[data-line]");
    lines.forEach(([whose, item, points]) => {
      const each = row.cloneNode(true);
      const { name, source } = this.playbook.items[item];
      each.querySelector("[data-whose]").textContent = whose;
      each.querySelector("[data-item]").textContent = name;
      each.querySelector("[data-words]").textContent = `「${source.words}」`;
      each.querySelector("[data-text]").textContent = this.say("source", { text: source.text });
      each.querySelector("[data-points]").textContent = makiyaku.signed(points);
      row.before(each);
    });
    total.remove();
    row.remove();
    shown.querySelector("[data-totals]").hidden = !totals.length;
    shown.querySelector("[data-lines]").hidden = !lines.length;
    shown.querySelector("[data-goes-on]").hidden = !totals.length || isOver;
    shown.querySelector("[data-nothing]").hidden = totals.length > 0;
    this.preview.replaceChildren(shown);
  }

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
    this.showDeals(answer.deals);
  }

  // ---- Finishing order: tapping names in the order they went out fills in the places.

  places(player) { return [...this.form.querySelectorAll(`input[name="place_${player}"]`)]; }
  placeOf(player) { return Number(this.places(player).find((input) => input.checked)?.value ?? 0); }

  drawTaps() {
    this.taps.forEach((tap) => {
      const place = this.placeOf(tap.dataset.player);
      tap.setAttribute("aria-pressed", String(place > 0));
      tap.querySelector(".tap-place").textContent = place || "";
      const wrong = place && this.places(tap.dataset.player)[0].closest(".has-error");
      if (wrong) {
        wrong.classList.remove("has-error");
        wrong.querySelectorAll(".error").forEach((error) => error.remove());
      }
    });
  }

  tap(player) {
    const taken = this.taps.map((each) => this.placeOf(each.dataset.player));
    const own = this.placeOf(player);
    if (own === taken.length) return; // the last is who is left
    const free = [1, 2, 3, 4, 5, 6].find((place) => !taken.includes(place));
    this.places(player).forEach((input) => { input.checked = !own && Number(input.value) === free; });
    // Five are out: the sixth is who is left.
    const left = this.taps.filter((each) => !this.placeOf(each.dataset.player));
    if (!own && left.length === 1) this.places(left[0].dataset.player).forEach((input) => { input.checked = input.value === "6"; });
    this.form.dispatchEvent(new Event("input"));
  }

  // ---- Captured cards: tap a card, then who took it.

  drawCards() {
    this.form.querySelectorAll("[data-card]").forEach((card) => {
      const input = this.form.querySelector(`.captures input[name="${card.dataset.card}"]:checked`);
      card.querySelector("[data-taker]").textContent = input ? this.initial(input.value) : "";
      card.classList.toggle("is-taken", Boolean(input));
      card.setAttribute("aria-pressed", String(card.dataset.card === this.card));
    });
    this.form.querySelectorAll("[data-taker-button] [data-count]").forEach((count) => {
      const taken = this.form.querySelectorAll(`.captures input[value="${count.dataset.count}"]:checked`).length;
      count.textContent = taken || "";
    });
  }

  initial(player) { return [...(this.form.querySelector(`[data-taker-button="${player}"]`)?.dataset.name ?? player)].slice(0, 2).join(""); }

  tapCard(event) {
    const card = event.target.closest("[data-card]");
    const taker = event.target.closest("[data-taker-button]");
    const isRest = event.target.closest("[data-take-rest]");
    if (card) {
      this.card = this.card === card.dataset.card ? null : card.dataset.card;
      this.drawCards();
    } else if (taker) {
      const first = this.form.querySelector("[data-card]:not(.is-taken)")?.dataset.card;
      this.take(this.card ? [this.card] : first ? [first] : [], taker.dataset.takerButton);
      this.taker = taker.dataset.takerButton;
    } else if (isRest && this.taker) {
      this.take([...this.form.querySelectorAll("[data-card]:not(.is-taken)")].map((each) => each.dataset.card), this.taker);
    }
  }

  take(cards, player) {
    cards.forEach((card) => {
      const input = this.form.querySelector(`.captures input[name="${card}"][value="${player}"]`);
      if (input) input.checked = true;
    });
    this.card = null;
    this.form.dispatchEvent(new Event("input"));
  }
};

// A sentence of the page with its {names} filled in.
makiyaku.fill = (words, values) => String(words ?? "").replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);
// Points as they are written everywhere.
makiyaku.signed = (points) => (points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0");

(() => {
  const form = document.querySelector("form[data-preview]:not([data-at-table])");
  if (!form) return;
  // What is half typed outlives a reload: kept in this tab for the version it was typed over, until it is sent.
  const key = `${location.pathname} ${form.elements.seen.value}`;
  const kept = sessionStorage.getItem(key);
  makiyaku.form = new makiyaku.RoundForm(form, { changed: () => sessionStorage.setItem(key, JSON.stringify(makiyaku.form.typedSoFar())) });
  if (kept && !form.querySelector(".has-error")) makiyaku.form.fill(JSON.parse(kept));
  form.addEventListener("submit", () => sessionStorage.removeItem(key));
})();
