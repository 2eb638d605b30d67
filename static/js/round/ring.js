// The ring of seats: who deals, who sits out, which suit is trump, who sits where by now and who is about to move.
makiyaku.SeatRing = class {
  constructor(form) {
    this.form = form;
    this.ring = form.querySelector(".ring");
  }

  // Let these players sit around the ring, in this order, for the round of this title.
  seat(players, title) {
    const middle = this.ring.querySelector(".ring-centre");
    players.forEach((player) => middle.before(this.ring.querySelector(`input[value="${CSS.escape(player)}"]`).closest(".seat")));
    middle.querySelector(":scope > span:not(.playing-card)").textContent = title;
  }

  // Whether nobody deals yet: then the ring asks for that first.
  get isAskingDealer() { return this.form.elements.dealer?.value === ""; }

  // A box was ticked while nobody dealt: that player deals.
  deal(box) {
    box.checked = false;
    this.form.elements.dealer.value = box.value;
  }

  draw() {
    if (!this.ring) return;
    const asks = this.isAskingDealer ? "dealer" : this.ring.querySelectorAll("input:checked").length < 2 ? "kankei" : "counts";
    makiyaku.write(this.form.querySelector("[data-two]"), "");
    this.form.querySelectorAll("[data-asks]").forEach((words) => { makiyaku.set(words, "hidden", !words.dataset.asks.split(" ").includes(asks)); });
    this.drawDealer(this.form.elements.dealer?.value);
    this.drawTrump([...this.form.querySelectorAll("[name=trump]")].find((input) => input.checked)?.value);
  }

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

  // Who changes places before the round goes on: a mark on their seats, and the sentence beneath the ring; once more
  // where the second deal begins, if that `isLate`.
  drawMove(players, sentence, isLate) {
    this.ring.querySelectorAll(".seat").forEach((seat) => seat.classList.toggle("is-moving", players.includes(seat.querySelector("input").value)));
    const words = sentence && `⇄ ${sentence}`;
    this.tell(words);
    this.tell(isLate ? words : "", this.form.querySelector("[data-move]"));
  }

  // Say this beneath the ring, or there.
  tell(sentence, box = document.getElementById("ring-hint")) {
    if (!box) return;
    makiyaku.write(box, sentence);
    makiyaku.set(box, "hidden", !sentence);
  }

  // A third was tapped: said where it says what to tap.
  tellTwo() {
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
    const chosen = this.form.elements.dealer.selectedOptions[0];
    const name = document.createElement("bdi");
    name.textContent = chosen?.value ? chosen.textContent : "";
    makiyaku.lay(both, [name, ...(named ? [named.cloneNode(true)] : [])]);
  }
};
