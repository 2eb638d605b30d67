// The form for a round: steps its counters, asks the server what the facts typed so far would score,
// and shows only what can come next. Everything works without it; the server decides.
(() => {
  const form = document.querySelector("form[data-preview]");
  if (!form) return;
  const preview = document.getElementById("preview");

  const number = (input) => (input.value === "" ? null : Number(input.value));

  function step(button) {
    const input = button.parentElement.querySelector("input");
    const value = (number(input) ?? 0) + Number(button.dataset.step);
    input.value = Math.max(Number(input.min), Math.min(Number(input.max), value));
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function drawPips(deal) {
    const [kankei, mukankei] = [...deal.querySelectorAll(".counter input")].map((input) => number(input) ?? 0);
    deal.querySelectorAll(".pip").forEach((pip, i) => {
      pip.classList.toggle("is-kankei", i < kankei);
      pip.classList.toggle("is-mukankei", i >= kankei && i >= 16 - mukankei);
    });
  }

  function drawSeats() {
    const dealer = form.elements.dealer?.value;
    form.querySelectorAll(".ring input").forEach((input) => {
      const isDealer = input.value === dealer;
      input.closest(".seat").classList.toggle("is-dealer", isDealer);
      if (form.dataset.dealerSitsOut === "yes") {
        input.disabled = isDealer;
        if (isDealer) input.checked = false;
      }
    });
  }

  function showDeals(deals) {
    deals.forEach((deal, i) => {
      const box = document.getElementById(`deal-${i + 1}`);
      box.classList.remove("is-waiting", "is-open", "is-won", "is-lost");
      box.classList.add(`is-${deal.state}`);
      const waiting = deal.state === "waiting";
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
    const cutOff = form.querySelector("[data-cut-off]");
    const goesOn = deals.some((deal, i) => i > 0 && deal.state === "open");
    if (cutOff) cutOff.hidden = !goesOn && !cutOff.querySelector("input").checked;
  }

  let asked = 0;
  async function ask() {
    const mine = ++asked;
    let answer;
    try {
      const response = await fetch(form.dataset.preview, { method: "POST", body: new FormData(form) });
      if (!response.ok) return;
      answer = await response.json();
    } catch {
      return; // no network: the form still saves when it is back
    }
    if (mine !== asked) return; // a newer question is on its way
    preview.innerHTML = answer.html;
    showDeals(answer.deals);
  }

  let waiting;
  form.addEventListener("input", (event) => {
    drawSeats();
    const deal = event.target.closest(".deal");
    if (deal) drawPips(deal);
    clearTimeout(waiting);
    waiting = setTimeout(ask, 150);
  });
  form.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]");
    if (button) step(button);
  });

  // Finishing order: tapping names in the order they went out fills in the places.
  const taps = [...form.querySelectorAll(".tap-player")];
  const places = (player) => [...form.querySelectorAll(`input[name="place_${player}"]`)];
  const placeOf = (player) => Number(places(player).find((input) => input.checked)?.value ?? 0);
  function drawTaps() {
    taps.forEach((tap) => {
      const place = placeOf(tap.dataset.player);
      tap.setAttribute("aria-pressed", String(place > 0));
      tap.querySelector(".tap-place").textContent = place || "";
    });
  }
  taps.forEach((tap) => tap.addEventListener("click", () => {
    const taken = taps.map((each) => placeOf(each.dataset.player));
    const own = placeOf(tap.dataset.player);
    const free = [1, 2, 3, 4, 5, 6].find((place) => !taken.includes(place));
    places(tap.dataset.player).forEach((input) => { input.checked = !own && Number(input.value) === free; });
    drawTaps();
    form.dispatchEvent(new Event("input"));
  }));
  form.addEventListener("change", drawTaps);

  drawSeats();
  drawTaps();
  form.querySelectorAll(".deal").forEach(drawPips);
  ask();
})();
