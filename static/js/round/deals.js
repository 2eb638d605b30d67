// The deals of a face-card round: two counters that know each other, and which declarations can have been made.
makiyaku.DealPanels = class {
  constructor(form) {
    this.form = form;
    form.addEventListener("click", (event) => this.clicked(event));
  }

  static STATES = ["waiting", "open", "won", "lost"];

  static counters(deal) { return [...deal.querySelectorAll(".counter input")]; }

  clicked(event) {
    const step = event.target.closest("[data-step]");
    const fill = event.target.closest("[data-fill]");
    if (step) {
      const input = step.parentElement.querySelector("input");
      this.set(input, (makiyaku.RoundFields.number(input) ?? 0) + Number(step.dataset.step));
    } else if (fill) {
      this.set(fill.closest(".counter").querySelector("input"), Number(fill.value));
    }
  }

  // The two counters of a deal share the face cards: a button that gives one more takes it from the other. What
  // is typed stays as typed, and changes nothing else.
  set(input, value) {
    const most = Number(input.max);
    const other = makiyaku.DealPanels.counters(input.closest(".deal")).find((each) => each !== input);
    input.value = Math.max(Number(input.min), Math.min(most, value));
    if (other.value !== "" && Number(other.value) + Number(input.value) > most) other.value = most - input.value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  // Bring the deal that is to be counted into view.
  reveal() {
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.form.querySelector(".deal.is-open")?.scrollIntoView({ block: "nearest", behavior: isStill ? "instant" : "smooth" });
  }

  draw() {
    this.form.querySelectorAll(".deal").forEach((deal) => { this.drawPips(deal); this.drawFills(deal); });
  }

  drawPips(deal) {
    const [kankei, mukankei] = makiyaku.DealPanels.counters(deal).map((input) => makiyaku.RoundFields.number(input) ?? 0);
    deal.querySelectorAll(".pip").forEach((pip, i, { length }) => {
      const canBe = kankei + mukankei <= length; // else none is anybody's
      pip.classList.toggle("is-kankei", canBe && i < kankei);
      pip.classList.toggle("is-mukankei", canBe && i >= length - mukankei);
    });
  }

  // The button beside a counter: what wins, or what the other side leaves.
  drawFills(deal) {
    const inputs = makiyaku.DealPanels.counters(deal);
    deal.querySelectorAll("[data-fill]").forEach((button) => {
      const own = button.closest(".counter").querySelector("input");
      const other = makiyaku.RoundFields.number(inputs.find((input) => input !== own));
      const value = Math.min(Number(button.dataset.fill), Number(own.max) - (other ?? 0));
      makiyaku.set(button, "value", String(value));
      makiyaku.write(button.querySelector("[data-number]"), value);
    });
  }

  // Show which deals are open, won or lost: {state, declarations} of each.
  show(deals) {
    deals.forEach((deal, i) => this.showDeal(document.getElementById(`deal-${i + 1}`), deal));
    // Only a round that goes on can be cut off.
    const cutOff = this.form.querySelector("[data-cut-off]");
    const goesOn = deals.some((deal, i) => i > 0 && deal.state === "open");
    if (cutOff) makiyaku.set(cutOff, "hidden", !goesOn && !cutOff.querySelector("input").checked);
  }

  showDeal(box, deal) {
    // A deal that has something in it is never left out without a word: the answer says that it cannot follow.
    const isWaiting = deal.state === "waiting" && makiyaku.DealPanels.counters(box).every((input) => input.value === "");
    const state = deal.state === "waiting" && !isWaiting ? "open" : deal.state;
    makiyaku.DealPanels.STATES.forEach((each) => box.classList.toggle(`is-${each}`, each === state));
    box.querySelectorAll("input, button").forEach((field) => makiyaku.set(field, "disabled", isWaiting));
    let isAnyShown = false;
    box.querySelectorAll("[data-declaration]").forEach((chip) => {
      const { declaration } = chip.dataset;
      makiyaku.set(chip, "hidden", declaration !== "" && !deal.declarations.includes(declaration) && !chip.querySelector("input").checked);
      isAnyShown ||= declaration !== "" && !chip.hidden;
    });
    const declarations = box.querySelector("[data-declarations]");
    if (declarations) makiyaku.set(declarations, "hidden", !isAnyShown);
  }
};
