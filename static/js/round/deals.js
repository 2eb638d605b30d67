// The deals of a face-card round, one open at a time: the result by one tap or by two linked counters, and the possible
// declarations.
makiyaku.DealPanels = class {
  constructor(form) {
    this.form = form;
    this.edited = 0; // the number of a decided deal that stays open
    form.addEventListener("click", (event) => this.clicked(event));
    form.addEventListener("input", (event) => this.typed(event));
  }

  static STATES = ["waiting", "open", "won", "lost"];

  static counters(deal) { return [...deal.querySelectorAll(".counter input")]; }
  static results(deal) { return [...deal.querySelectorAll(".result input")]; }
  static numberOf(deal) { return Number(deal.id.split("-")[1]); }

  // Forget how the form was shown before it was filled in; this deal, if any, stays open.
  reset(edited) {
    this.edited = edited;
    this.form.querySelectorAll(".deal-other").forEach((details) => { details.open = false; });
  }

  clicked(event) {
    const step = event.target.closest("[data-step]");
    const fill = event.target.closest("[data-fill]");
    const line = event.target.closest(".deal-line");
    const more = event.target.closest("[data-more]");
    const other = event.target.closest(".deal-other > summary");
    if (step) {
      const input = step.parentElement.querySelector("input");
      this.set(input, (makiyaku.RoundFields.number(input) ?? 0) + Number(step.dataset.step));
    } else if (fill) {
      this.set(fill.closest(".counter").querySelector("input"), Number(fill.value));
    } else if (more) {
      this.chooseMore(more);
    } else if (other && event.detail) {
      this.typeFirst(other.parentElement, event);
    } else if (line) {
      this.open(makiyaku.DealPanels.numberOf(line.closest(".deal")));
    } else if (event.target.matches(".result input")) {
      this.choose(event.target, event.detail);
    }
  }

  // A result sets both counts. Arrow keys (`taps` is 0) move through the results, so that the deal stays open.
  choose(input, taps) {
    const deal = input.closest(".deal");
    const counters = makiyaku.DealPanels.counters(deal);
    const counts = input.value.split("-");
    const isSame = counters.every((counter, i) => counter.value === counts[i]);
    counters.forEach((counter, i) => { counter.value = counts[i]; });
    this.edited = taps ? 0 : makiyaku.DealPanels.numberOf(deal);
    if (isSame) this.form.dispatchEvent(new Event("input")); // else the radio button dispatches one itself
  }

  // The winners hold more than they needed: set or clear their count. The others' count stays if it can.
  chooseMore(button) {
    const row = button.closest(".result-row");
    const [winners, others] = this.sides(row, makiyaku.DealPanels.counters(row.closest(".deal")));
    const more = Number(button.dataset.more);
    const extra = this.extra(row) === more ? 0 : more;
    const held = Number(row.dataset.target) + extra;
    const isChosen = row.querySelector("input:checked");
    if (!isChosen || held + Number(others.value) > Number(others.max)) others.value = "";
    winners.value = isChosen || extra ? held : "";
    this.form.dispatchEvent(new Event("input"));
  }

  open(number) {
    this.edited = number;
    this.form.dispatchEvent(new Event("input"));
    const deal = document.getElementById(`deal-${number}`);
    (makiyaku.DealPanels.results(deal).find((each) => each.checked) ?? deal.querySelector(".deal-other > summary")).focus({ preventScroll: true });
    this.reveal(deal);
  }

  // The counters were opened by a tap, and there are no counts yet: type them at once.
  typeFirst(details, event) {
    const counters = makiyaku.DealPanels.counters(details);
    if (details.open || counters.some((input) => input.value !== "")) return;
    event.preventDefault();
    details.open = true;
    counters[0].focus();
  }

  // Typing in another deal closes this one.
  typed({ target }) {
    const deal = target.closest?.(".deal");
    if (!deal || target.matches(".result input")) return;
    const number = makiyaku.DealPanels.numberOf(deal);
    if (target.closest(".deal-other")) this.edited = number;
    else if (this.edited !== number) this.edited = 0;
  }

  // The two counters of a deal share the face cards: a button that adds one takes it from the other. Typed numbers do not
  // change the other counter.
  set(input, value) {
    const most = Number(input.max);
    const other = makiyaku.DealPanels.counters(input.closest(".deal")).find((each) => each !== input);
    input.value = Math.max(Number(input.min), Math.min(most, value));
    if (other.value !== "" && Number(other.value) + Number(input.value) > most) other.value = most - input.value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  // Scroll to the open deal.
  reveal(deal = this.form.querySelector(".deal.is-open")) {
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    deal?.scrollIntoView({ block: "nearest", behavior: isStill ? "instant" : "smooth" });
  }

  draw() {
    this.form.querySelectorAll(".deal").forEach((deal) => { this.drawResults(deal); this.drawPips(deal); this.drawFills(deal); });
  }

  // Select the result with the counters' values; other counts open the counters. A result tapped before the script had loaded
  // fills in the counters.
  drawResults(deal) {
    const counters = makiyaku.DealPanels.counters(deal);
    const results = makiyaku.DealPanels.results(deal);
    const chosen = results.find((each) => each.checked);
    if (chosen && counters.every((input) => input.value === "")) chosen.value.split("-").forEach((count, i) => { counters[i].value = count; });
    const counts = counters.map((input) => input.value);
    const rows = [...deal.querySelectorAll(".result-row")];
    rows.forEach((row) => this.drawRow(row, counts));
    const isShown = results.some((each) => each.checked) || rows.some((row) => this.extra(row));
    if (counts.some(Boolean) && !isShown) makiyaku.set(deal.querySelector(".deal-other"), "open", true);
  }

  // A row has the results with which one side wins. Return a pair of both sides, with that side first, or put it back in order.
  sides(row, [kankei, mukankei]) { return row.classList.contains("result-won") ? [kankei, mukankei] : [mukankei, kankei]; }

  // A result's counts when the winners have no more than they need.
  static base(input) { return (input.dataset.base ??= input.value).split("-").map(Number); }

  // How many face cards more than they needed the winners of this row hold, by the counters; 0 if it has no button for it.
  extra(row) {
    const target = Number(row.dataset.target);
    const [held, others] = this.sides(row, makiyaku.DealPanels.counters(row.closest(".deal"))).map((input) => input.value);
    const isOfRow = others === "" || [...row.querySelectorAll(".result input")].some((input) => this.sides(row, makiyaku.DealPanels.base(input)).join("-") === `${target}-${others}`);
    return isOfRow && row.querySelector(`[data-more="${held - target}"]`) ? held - target : 0;
  }

  // The results with which one side wins, for the number of face cards it holds.
  drawRow(row, counts) {
    const target = Number(row.dataset.target);
    const most = Number(makiyaku.DealPanels.counters(row.closest(".deal"))[0].max);
    const extra = this.extra(row);
    row.querySelectorAll(".result input").forEach((input) => {
      const base = makiyaku.DealPanels.base(input);
      const [least, left] = this.sides(row, base);
      const now = least === target ? this.sides(row, [target + extra, left]) : base;
      makiyaku.set(input, "value", now.join("-"));
      makiyaku.set(input, "disabled", now[0] + now[1] > most);
      makiyaku.set(input, "checked", input.value === counts.join("-"));
    });
    makiyaku.write(row.querySelector("[data-won]"), target + extra);
    row.querySelectorAll("[data-more]").forEach((button) => makiyaku.mark(button, "aria-pressed", String(Number(button.dataset.more) === extra)));
  }

  drawPips(deal) {
    const [kankei, mukankei] = makiyaku.DealPanels.counters(deal).map((input) => makiyaku.RoundFields.number(input) ?? 0);
    deal.querySelectorAll(".pip").forEach((pip, i, { length }) => {
      const canBe = kankei + mukankei <= length; // else the counts are impossible
      pip.classList.toggle("is-kankei", canBe && i < kankei);
      pip.classList.toggle("is-mukankei", canBe && i >= length - mukankei);
    });
  }

  // The button beside a counter: the target, or what the other side leaves if that is less.
  drawFills(deal) {
    const inputs = makiyaku.DealPanels.counters(deal);
    deal.querySelectorAll("[data-fill]").forEach((button) => {
      const own = button.closest(".counter").querySelector("input");
      const other = makiyaku.RoundFields.number(inputs.find((input) => input !== own));
      const value = Math.max(0, Math.min(Number(button.dataset.fill), Number(own.max) - (other ?? 0)));
      makiyaku.set(button, "value", String(value));
      makiyaku.write(button.querySelector("[data-number]"), value);
    });
  }

  // Show which deals are open, won or lost: {state, declarations, made} of each.
  show(deals) {
    deals.forEach((deal, i) => this.showDeal(document.getElementById(`deal-${i + 1}`), deal, i + 1));
    // Only a round that goes on can be cut off.
    const cutOff = this.form.querySelector("[data-cut-off]");
    const goesOn = deals.some((deal, i) => i > 0 && deal.state === "open");
    if (cutOff) makiyaku.set(cutOff, "hidden", !goesOn && !cutOff.querySelector("input").checked);
  }

  showDeal(box, deal, number) {
    // A deal with input stays open: the answer then says that it cannot follow.
    const isWaiting = deal.state === "waiting" && makiyaku.DealPanels.counters(box).every((input) => input.value === "");
    const state = deal.state === "waiting" && !isWaiting ? "open" : deal.state;
    const isShort = ["won", "lost"].includes(state) && this.edited !== number && !box.querySelector(".has-error");
    makiyaku.DealPanels.STATES.forEach((each) => box.classList.toggle(`is-${each}`, each === state));
    makiyaku.set(box, "disabled", isWaiting);
    this.drawLine(box, isShort);
    this.drawDeclarations(box, isShort ? deal.made : deal.declarations);
  }

  // A decided deal as a line.
  drawLine(box, isShort) {
    const line = box.querySelector(".deal-line");
    const [kankei, mukankei] = makiyaku.DealPanels.counters(box).map((input) => input.value);
    const declared = box.querySelector("[data-declarations] input:checked:not([value=''])")?.closest("label").textContent.trim() ?? "";
    makiyaku.write(line.querySelector("[data-counts]"), `${makiyaku.fill(line.dataset.line, { kankei, mukankei })} ${declared}`.trim());
    makiyaku.set(line, "hidden", !isShort);
    const hadFocus = isShort && !box.classList.contains("is-short") && box.contains(document.activeElement);
    box.classList.toggle("is-short", isShort);
    if (hadFocus) line.focus({ preventScroll: true });
  }

  drawDeclarations(box, among) {
    const declarations = box.querySelector("[data-declarations]");
    if (!declarations) return;
    let isAnyShown = false;
    let isChosen = false;
    declarations.querySelectorAll("[data-declaration]").forEach((chip) => {
      const { declaration } = chip.dataset;
      const { checked } = chip.querySelector("input");
      makiyaku.set(chip, "hidden", declaration !== "" && !among.includes(declaration) && !checked);
      isAnyShown ||= declaration !== "" && !chip.hidden;
      isChosen ||= declaration !== "" && checked;
    });
    makiyaku.set(declarations, "hidden", !isAnyShown);
    declarations.classList.toggle("is-chosen", isChosen);
  }
};
