// Names and cards to be tapped: a tap fills in the fields below and dispatches an input event.

// Names tapped in the order they went out.
makiyaku.FinishTaps = class {
  constructor(fields) {
    this.fields = fields;
    this.taps = [...fields.form.querySelectorAll(".tap-player")];
    this.taps.forEach((tap) => tap.addEventListener("click", () => this.tap(tap.dataset.player)));
  }

  draw() {
    this.taps.forEach((tap) => {
      const { player } = tap.dataset;
      const place = this.fields.placeOf(player);
      makiyaku.mark(tap, "aria-pressed", String(place > 0));
      makiyaku.write(tap.querySelector(".tap-place"), place || "");
      const team = this.fields.form.querySelector(`[name="team_${player}"]:checked`);
      makiyaku.mark(tap, "data-team", team?.value ?? "");
      makiyaku.write(tap.querySelector(".tap-team"), team?.labels[0].textContent.trim() ?? "");
      const wrong = place && this.fields.places(player)[0].closest(".has-error");
      if (wrong) {
        wrong.classList.remove("has-error");
        wrong.querySelectorAll(".error").forEach((error) => error.remove());
      }
    });
  }

  tap(player) {
    const { fields } = this;
    const taken = fields.players.map((each) => fields.placeOf(each));
    const own = fields.placeOf(player);
    if (own === taken.length) return; // the last is who is left
    const free = taken.map((_, i) => i + 1).find((place) => !taken.includes(place));
    fields.places(player).forEach((input) => { input.checked = !own && Number(input.value) === free; });
    const left = fields.players.filter((each) => !fields.placeOf(each));
    if (!own && left.length === 1) fields.places(left[0]).forEach((input) => { input.checked = Number(input.value) === taken.length; });
    fields.form.dispatchEvent(new Event("input"));
  }
};

// Cards tapped, then who took them.
makiyaku.CardTaps = class {
  constructor(form) {
    this.form = form;
    this.chosen = new Set(); // tapped, and waiting for who took them
    this.points = new Map(); // what the cards bring each, once all are taken
    this.first = form.querySelector("[data-cards-first]");
    form.addEventListener("click", (event) => this.clicked(event));
  }

  // Show points beside the names instead of the numbers of cards; null until all cards are taken.
  showPoints(points) {
    this.points = new Map(points);
    this.draw();
  }

  reset() { this.chosen = new Set(); }

  cards() { return [...this.form.querySelectorAll("[data-card]")]; }
  free() { return this.cards().filter((each) => !each.classList.contains("is-taken")).map((each) => each.dataset.card); }

  draw() {
    if (this.first) makiyaku.set(this.first, "hidden", true);
    this.cards().forEach((card) => {
      const input = this.form.querySelector(`.captures input[name="${card.dataset.card}"]:checked`);
      makiyaku.write(card.querySelector("[data-taker]"), input ? this.initial(input.value) : "");
      card.classList.toggle("is-taken", Boolean(input));
      card.classList.toggle("is-exposed", Boolean(this.form.querySelector(`[name=exposed][value="${card.dataset.card}"]:checked`)));
      makiyaku.mark(card, "aria-pressed", String(this.chosen.has(card.dataset.card)));
    });
    this.form.querySelectorAll("[data-taker-button] [data-count]").forEach((count) => {
      if (this.points.has(count.dataset.count)) { makiyaku.write(count, makiyaku.signed(this.points.get(count.dataset.count))); return; }
      const taken = this.form.querySelectorAll(`.captures input[value="${count.dataset.count}"]:checked`).length;
      makiyaku.write(count, taken || "");
    });
  }

  // One or two characters that identify a player at the table, from the beginning or the end of the name, else the seat
  // number. One is enough at the end, where default names have their number.
  initial(player) {
    const buttons = [...this.form.querySelectorAll("[data-taker-button]")];
    const seat = buttons.findIndex((button) => button.dataset.takerButton === player);
    const parts = [(name) => name.slice(0, 2), (name) => name.slice(-1), (name) => name.slice(-2)];
    const of = (part) => buttons.map((button) => part([...button.dataset.name]).join("").trim());
    return parts.map(of).find((all) => all.filter((each) => each === all[seat]).length === 1)?.[seat] ?? String(seat + 1);
  }

  clicked(event) {
    const card = event.target.closest("[data-card]");
    const taker = event.target.closest("[data-taker-button]");
    if (card) {
      if (!this.chosen.delete(card.dataset.card)) this.chosen.add(card.dataset.card);
      this.draw();
    } else if (taker) {
      if (this.chosen.size) this.take(this.chosen, taker.dataset.takerButton);
      else {
        this.first.hidden = false;
        this.first.scrollIntoView({ block: "nearest" });
      }
    } else if (event.target.closest("[data-take-rest]")) {
      this.chosen = new Set(this.free());
      this.draw();
    }
  }

  take(cards, player) {
    cards.forEach((card) => {
      const input = this.form.querySelector(`.captures input[name="${card}"][value="${player}"]`);
      if (input) input.checked = true;
    });
    this.chosen = new Set();
    this.form.dispatchEvent(new Event("input"));
  }
};
