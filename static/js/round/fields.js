// Reads the fields of a round's form as facts, and fills facts into them.
makiyaku.RoundFields = class {
  constructor(form, playbook) {
    this.form = form;
    this.playbook = playbook;
    this.isKankei = Boolean(form.querySelector(".deal"));
    this.players = [...form.querySelectorAll(".tap-player")].map((tap) => tap.dataset.player);
  }

  static number(input) { return input.value === "" ? null : Number(input.value); }

  static isInput(input) {
    return input.name && input.tagName !== "BUTTON" && !["hidden", "submit"].includes(input.type);
  }

  // ---- Reading

  chosen(name) {
    return [...this.form.querySelectorAll(`[name="${name}"]`)].filter((input) => input.checked).map((input) => input.value);
  }

  places(player) { return [...this.form.querySelectorAll(`input[name="place_${player}"]`)]; }
  placeOf(player) { return Number(this.places(player).find((input) => input.checked)?.value ?? 0); }

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
    if (this.isKankei) return this.kankei();
    return this.players.length ? this.finish() : this.captures();
  }

  kankei() {
    const { dealer, trump } = this.form.elements;
    const facts = { dealer: dealer?.value, trump: trump.value, kankei: this.chosen("kankei"), deals: this.deals() };
    ["dealer", "trump"].filter((each) => !facts[each]).forEach((each) => { delete facts[each]; }); // not chosen yet
    if (this.form.elements.cut_off?.checked) facts.cut_off = true;
    return facts;
  }

  captures() {
    const captured = {};
    this.form.querySelectorAll(".captures input:checked").forEach((input) => (captured[input.value] ??= []).push(input.name));
    return { captured, exposed: this.chosen("exposed") };
  }

  finish() {
    const { players } = this;
    const finish = players.filter((player) => this.placeOf(player)).sort((a, b) => this.placeOf(a) - this.placeOf(b));
    const of = (team) => players.filter((player) => this.chosen(`team_${player}`)[0] === team);
    const teams = [of("1"), of("2")];
    return JSON.stringify(teams) === JSON.stringify(this.playbook.usualTeams(players)) ? { finish } : { finish, teams };
  }

  // The value of every field, to be stored as a draft.
  typedSoFar() {
    const values = {};
    for (const input of this.form.elements) {
      if (!makiyaku.RoundFields.isInput(input)) continue;
      if (input.type === "checkbox") {
        if (input.checked) (values[input.name] ??= []).push(input.value);
      } else if (input.type !== "radio" || input.checked) {
        if (input.value !== "") values[input.name] = input.value;
      }
    }
    return values;
  }

  // The values of the fields that have changed since the page was loaded.
  changed() {
    const isChanged = (input) => (input.options ? [...input.options].some((each) => each.selected !== each.defaultSelected)
      : input.checked !== input.defaultChecked || input.value !== input.defaultValue);
    const names = new Set([...this.form.elements].filter((input) => makiyaku.RoundFields.isInput(input) && isChanged(input)).map((input) => input.name));
    return Object.fromEntries(Object.entries(this.typedSoFar()).filter(([name]) => names.has(name)));
  }

  // ---- Filling in

  // Show these values, by field; fields not named are emptied.
  fill(values) {
    for (const input of this.form.elements) {
      if (!makiyaku.RoundFields.isInput(input)) continue;
      const value = values[input.name] ?? "";
      if (input.type === "checkbox" || input.type === "radio") {
        const among = Array.isArray(value) ? value : [value === true ? input.value : String(value)];
        input.checked = among.includes(input.value);
      } else {
        input.value = value;
      }
    }
  }

  // The values of facts, by field.
  static values(facts) {
    const values = {};
    const setters = {
      deals: (deals) => deals.forEach((deal, i) => Object.entries(deal).forEach(([part, each]) => { values[`deal_${i + 1}_${part}`] = each; })),
      finish: (players) => players.forEach((player, i) => { values[`place_${player}`] = i + 1; }),
      teams: (teams) => teams.forEach((team, i) => team.forEach((player) => { values[`team_${player}`] = i + 1; })),
      captured: (taken) => Object.entries(taken).forEach(([player, cards]) => cards.forEach((card) => { values[card] = player; })),
    };
    for (const [key, value] of Object.entries(facts)) {
      if (setters[key]) setters[key](value);
      else values[key] = value;
    }
    return values;
  }
};
