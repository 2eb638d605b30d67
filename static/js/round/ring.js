// The ring of seats: dealer, trump, who sits out, who sits where and who has to change seats. Each seat has a radio button for the
// dealer and a box for the kankei, one above the other; the ring asks for one of them.
makiyaku.SeatRing = class {
  constructor(form) {
    this.form = form;
    this.ring = form.querySelector(".ring");
    this.isAsking = false; // for another dealer
    this.isArrow = false; // an arrow key moves through the dealers
    this.ring?.addEventListener("keydown", (event) => this.pressed(event));
    this.ring?.addEventListener("click", ({ target }) => { if (target.name === "dealer") this.chosen(); });
    form.querySelector("[data-ask-dealer]")?.addEventListener("click", () => this.askAnother());
  }

  reset() { this.isAsking = false; }

  // Seat these players around the ring, in this order.
  seat(players, title) {
    const middle = this.ring.querySelector(".ring-centre");
    players.forEach((player) => middle.before(this.ring.querySelector(`input[value="${CSS.escape(player)}"]`).closest(".seat")));
    middle.querySelector(":scope > span:not(.playing-card)").textContent = title;
  }

  get hasDealer() { return this.form.elements.dealer?.value !== ""; } // or the game has none

  askAnother() {
    this.isAsking = true;
    this.draw();
    this.ring.parentElement.scrollIntoView();
    this.ring.querySelector("[name=dealer]:checked")?.focus({ preventScroll: true });
  }

  // Arrow keys move through the dealers, and choose; any other key or a tap ends the choice.
  pressed({ key, target }) {
    if (target.name !== "dealer") return;
    this.isArrow = key.startsWith("Arrow");
    if (key !== "Tab") return;
    this.isAsking = false;
    this.draw();
  }

  // A dealer was chosen: by an arrow key the ring asks on, else for the kankei.
  chosen() {
    this.isAsking = this.isArrow;
    this.isArrow = false;
    this.draw();
    if (!this.isAsking) this.ring.querySelector("[name=kankei]:enabled").focus({ preventScroll: true });
  }

  draw() {
    if (!this.ring) return;
    const step = this.step();
    this.ring.classList.toggle("asks-dealer", ["dealer", "another"].includes(step));
    makiyaku.write(this.form.querySelector("[data-two]"), "");
    this.showWhatIsAsked(step);
    this.drawDealer(this.form.elements.dealer?.value);
    this.drawTrump([...this.form.querySelectorAll("[name=trump]")].find((input) => input.checked)?.value);
  }

  step() {
    if (!this.hasDealer) return "dealer";
    if (this.isAsking) return "another";
    return this.ring.querySelectorAll("[name=kankei]:checked").length < 2 ? "kankei" : "counts";
  }

  showWhatIsAsked(step) {
    this.form.querySelectorAll("[data-asks]").forEach((words) => { makiyaku.set(words, "hidden", !words.dataset.asks.split(" ").includes(step)); });
  }

  // The round has all its counts, so that nothing more is asked.
  drawEnd() { if (this.ring && this.step() === "counts") this.showWhatIsAsked("end"); }

  drawDealer(dealer) {
    const mark = document.getElementById("dealer-mark");
    const seats = [...this.ring.querySelectorAll(".seat")];
    const nearest = Math.max(0, seats.findIndex((seat) => seat.querySelector("input").value === dealer)); // holds the phone
    seats.forEach((seat, i) => {
      const input = seat.querySelector("input");
      const isDealer = input.value === dealer;
      const place = (i - nearest + seats.length) % seats.length;
      seats.forEach((_, each) => seat.classList.toggle(`at-${each + 1}`, each === place));
      seat.classList.toggle("is-dealer", isDealer);
      const shown = seat.querySelector(".seat-dealer");
      if (shown && !isDealer) shown.remove();
      if (!shown && isDealer && mark) seat.querySelector(".seat-name").after(mark.content.cloneNode(true));
      makiyaku.write(seat.querySelector(".seat-number"), i + 1);
      if (this.form.dataset.dealerSitsOut === "yes") {
        makiyaku.set(input, "disabled", isDealer);
        if (isDealer) input.checked = false;
      }
    });
  }

  // Mark the players who change seats, with a sentence below the ring; if it `isLate`, also where the second deal begins.
  drawMove(players, sentence, isLate) {
    this.ring.querySelectorAll(".seat").forEach((seat) => seat.classList.toggle("is-moving", players.includes(seat.querySelector("input").value)));
    const words = sentence && `⇄ ${sentence}`;
    this.showHint(words);
    this.showHint(isLate ? words : "", this.form.querySelector("[data-move]"));
  }

  showHint(sentence, box = document.getElementById("ring-hint")) {
    if (!box) return;
    makiyaku.write(box, sentence);
    makiyaku.set(box, "hidden", !sentence);
  }

  // A third kankei was tapped: say so where the ring says what to tap.
  refuseThird() {
    const box = this.form.querySelector("[data-two]");
    this.form.querySelectorAll("legend [data-asks]").forEach((words) => { words.hidden = true; });
    makiyaku.write(box, box.dataset.two);
    box.scrollIntoView({ block: "nearest" });
  }

  drawTrump(trump) {
    const suit = this.ring.querySelector(".ring-centre .suit");
    const named = trump && this.form.querySelector(`[name=trump][value=${trump}] + span .suit`);
    if (suit && named && !suit.isEqualNode(named)) suit.replaceWith(named.cloneNode(true));
    const both = this.form.querySelector("[data-dealer-trump]");
    if (!both) return;
    const name = document.createElement("bdi");
    name.textContent = this.ring.querySelector(".is-dealer .seat-name")?.textContent.trim() ?? "";
    makiyaku.lay(both, [name, ...(named ? [named.cloneNode(true)] : [])]);
  }
};
