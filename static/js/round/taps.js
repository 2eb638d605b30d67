// Where names and cards are tapped: tapping fills in the fields beneath, and says that something was typed.

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
      tap.setAttribute("aria-pressed", String(place > 0));
      tap.querySelector(".tap-place").textContent = place || "";
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

// A card tapped, then who took it; a name alone takes the next card.
makiyaku.CardTaps = class {
  constructor(form) {
    this.form = form;
    this.card = null; // tapped, and waiting for who took it
    this.taker = null; // who took the last one
    form.addEventListener("click", (event) => this.clicked(event));
  }

  cards() { return [...this.form.querySelectorAll("[data-card]")]; }
  free() { return this.cards().filter((each) => !each.classList.contains("is-taken")).map((each) => each.dataset.card); }

  draw() {
    this.cards().forEach((card) => {
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

  clicked(event) {
    const card = event.target.closest("[data-card]");
    const taker = event.target.closest("[data-taker-button]");
    if (card) {
      this.card = this.card === card.dataset.card ? null : card.dataset.card;
      this.draw();
    } else if (taker) {
      this.taker = taker.dataset.takerButton;
      this.take(this.card ? [this.card] : this.free().slice(0, 1));
    } else if (event.target.closest("[data-take-rest]") && this.taker) {
      this.take(this.free());
    }
  }

  take(cards) {
    cards.forEach((card) => {
      const input = this.form.querySelector(`.captures input[name="${card}"][value="${this.taker}"]`);
      if (input) input.checked = true;
    });
    this.card = null;
    this.form.dispatchEvent(new Event("input"));
  }
};
