// The sheets, which open over the phone's page: ledger, chart, standings, settings. Contents of the server are fetched ahead and
// stored, so that they are available offline.
makiyaku.Sheets = class {
  constructor({ table, wording, queue, requests, outbox, leaving }, page) {
    Object.assign(this, { table, wording, requests, outbox, leaving, page, codes: queue.codes });
    this.box = document.getElementById("sheets");
    this.contents = {}; // the last responses of the server, by sheet
    document.addEventListener("click", (event) => this.clicked(event));
    document.addEventListener("submit", (event) => this.submitted(event));
    this.box.addEventListener("click", ({ target }) => { if (target === this.box) this.box.close(); });
  }

  static FETCHED = ["chart", "standings"];

  // Parse a response; null if it is not ours.
  static PARSERS = {
    chart: (content) => new DOMParser().parseFromString(content, "text/html").querySelector(".phone-chart"),
    standings: (content) => { try { return JSON.parse(content).standings; } catch { return null; } },
  };

  clicked(event) {
    const opener = event.target.closest("[data-sheet]");
    const link = event.target.closest("a[href]");
    if (opener) {
      event.preventDefault();
      this.open(opener.dataset.sheet);
    } else if (link && !link.target && new URL(link.href).pathname !== location.pathname) {
      event.preventDefault();
      this.leaving.leaveBy(() => { location.href = link.href; });
    }
  }

  submitted(event) {
    const form = event.target;
    if (form.dataset.atTable !== undefined || form.method === "dialog") return; // the round's form has its own handler
    event.preventDefault();
    const button = event.submitter;
    this.leaving.leaveBy(() => {
      if (button?.name) form.append(Object.assign(document.createElement("input"), { type: "hidden", name: button.name, value: button.value }));
      form.submit();
    });
  }

  // ---- Opening

  open(name) {
    this.shown = name;
    for (const section of this.box.querySelectorAll("[data-of-sheet]")) section.hidden = section.dataset.ofSheet !== name;
    for (const tab of this.box.querySelectorAll("[data-sheet]")) makiyaku.mark(tab, "aria-pressed", String(tab.dataset.sheet === name));
    this.draw();
    if (!this.box.open) this.box.showModal();
    this.box.scrollTop = 0;
    if (makiyaku.Sheets.FETCHED.includes(name)) this.fetch(name);
  }

  section(name) { return this.box.querySelector(`[data-of-sheet=${name}]`); }

  draw() {
    if (this.shown === "ledger") this.drawLedger();
    if (this.shown === "join") this.drawJoin();
    if (makiyaku.Sheets.FETCHED.includes(this.shown)) this.drawFetched(this.shown);
  }

  // ---- The ledger, from the data on this phone

  drawLedger() {
    const all = this.table.rounds();
    const section = this.section("ledger");
    const [head] = section.querySelector("thead").rows;
    const totals = this.table.totals(all);
    const { points: before } = this.table.before;
    const scores = [...before, ...all.map((round) => (round.complete ? this.table.points(round) : null))];
    makiyaku.lay(head, [...[...head.cells].slice(0, 2), ...scores.map((_, i) => this.cell("th", i + 1, "num"))]);
    makiyaku.lay(section.querySelector("tbody"), this.table.players.map((player) => {
      const row = document.createElement("tr");
      const name = this.cell("th", this.wording.name(player), "name");
      name.scope = "row";
      row.append(name, this.points(totals[player], "total"), ...scores.map((points) => this.pointsOrBlank(points, player)));
      return row;
    }));
    section.querySelector("[data-empty]").hidden = scores.length > 0;
    makiyaku.lay(section.querySelector("[data-rounds]"), all.map((round) => this.round(round)).reverse());
  }

  cell(kind, words, look) { return Object.assign(document.createElement(kind), { textContent: words, className: look }); }

  points(points, look = "") { return this.cell("td", makiyaku.signed(points), `num points ${look} ${points > 0 ? "plus" : points < 0 ? "minus" : ""}`); }

  // A player's points of a round; … while it is under way, nothing before the player joined.
  pointsOrBlank(points, player) { return points && player in points ? this.points(points[player]) : this.cell("td", points ? "" : "…", "num"); }

  // One round: its state and its facts.
  round(round) {
    const box = document.getElementById("sheet-round").content.cloneNode(true).firstElementChild;
    const item = this.table.markedItem(round.number);
    const [sentence, look] = this.wording.state(item ? { item } : round);
    box.querySelector("h3").textContent = this.wording.roundTitle(round.number);
    const state = box.querySelector("p");
    state.textContent = sentence;
    state.className = `panel-state ${look}`;
    makiyaku.Panels.list(box.querySelector("dl"), this.wording.facts(round.facts));
    return box;
  }

  // ---- Contents of the server

  key(name) { return `${this.table.key}/${name}/${document.documentElement.lang}`; }

  // Fetch ahead, for use offline.
  async start() {
    for (const name of makiyaku.Sheets.FETCHED) {
      this.contents[name] ??= this.read(name);
      await this.fetch(name);
    }
  }

  // Sheets are stored in localStorage, which has a quota of its own, and never in IndexedDB: they take no room from
  // rounds, and a failure to store them says nothing about rounds. Each sheet has one slot for all tables.
  static slot(name) { return `makiyaku-sheet-${name}`; }

  read(name) {
    try {
      const { key, ...stored } = JSON.parse(localStorage.getItem(makiyaku.Sheets.slot(name)));
      return key === this.key(name) ? stored : null;
    } catch {
      return null; // nothing is stored, or the browser forbids it
    }
  }

  save(name) {
    if (this.outbox.store.isRefusing) return;
    try { localStorage.setItem(makiyaku.Sheets.slot(name), JSON.stringify({ key: this.key(name), ...this.contents[name] })); } catch { /* available until the page closes */ }
  }

  // Free room for rounds on a full phone; the open page still has its sheets.
  freeStorage() {
    try { makiyaku.Sheets.FETCHED.forEach((name) => localStorage.removeItem(makiyaku.Sheets.slot(name))); } catch { /* nothing was stored */ }
  }

  async fetch(name) {
    if (!this.section(name)) return;
    const content = await this.requests.content(this.page.sheet_urls[name]);
    if (!content || !makiyaku.Sheets.PARSERS[name](content)) return; // no response, or the log-in page of a Wi-Fi
    this.contents[name] = { content, at: Date.now() };
    this.save(name);
    if (this.shown === name) this.drawFetched(name);
  }

  drawFetched(name) {
    const box = this.section(name).querySelector("[data-content]");
    const stored = this.contents[name];
    this.section(name).querySelector("[data-missing]").hidden = Boolean(stored);
    if (!stored) return;
    if (name === "standings") this.drawStandings(box, stored);
    else if (this.drawn !== stored.content) box.replaceChildren(makiyaku.Sheets.PARSERS.chart(this.drawn = stored.content));
  }

  drawStandings(box, { content, at }) {
    const isOwn = (number) => this.table.server.seats.some((seat) => seat.number === number);
    const time = this.section("standings").querySelector("[data-at]");
    time.textContent = this.wording.sentence("standings_at", { time: new Date(at).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" }) });
    makiyaku.lay(box.querySelector("tbody"), makiyaku.Sheets.PARSERS.standings(content).map(({ place, name, number, points, rounds_played: played }) => {
      const row = document.createElement("tr");
      if (isOwn(number)) row.className = "is-own";
      const title = this.cell("th", "", "name");
      title.scope = "row";
      title.append(Object.assign(document.createElement("bdi"), { textContent: name }));
      row.append(this.cell("td", place ?? "–", "num"), title, points === null ? this.cell("td", "–", "num") : this.points(points), this.cell("td", played, "num"));
      return row;
    }));
  }

  // ---- The link for a second phone

  drawJoin() {
    const canvas = this.section("join").querySelector("canvas");
    canvas.hidden = !window.qrcode;
    const code = window.qrcode && this.codes.code(this.page.join, "M");
    if (code) this.codes.paint(canvas, code);
  }
};
