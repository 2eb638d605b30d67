// The phone at the table: takes down round after round, with or without the network.

// Say a sentence to those who do not see it.
makiyaku.announce = (sentence) => { document.getElementById("announce").textContent = sentence; };

// Ask in this dialog, with these choices before its own: [answer, words], or [words] above some. Closing it otherwise is a "no".
makiyaku.ask = (id, sentence = "", choices = []) => {
  const box = document.getElementById(id);
  if (sentence) box.querySelector("h2").textContent = sentence;
  box.querySelector("[data-choices]")?.replaceChildren(...choices.map(([answer, words]) => {
    if (!words) return Object.assign(document.createElement("p"), { textContent: answer });
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "button button-primary button-wide", textContent: words });
    button.dataset.answer = answer;
    return button;
  }));
  box.returnValue = "no";
  box.showModal();
  return new Promise((resolve) => box.addEventListener("close", () => resolve(box.returnValue), { once: true }));
};

makiyaku.Phone = class {
  constructor(page) {
    const form = document.querySelector("form[data-at-table]");
    const csrf = () => form.elements.csrfmiddlewaretoken.value;
    const look = () => this.look();
    const playbook = new makiyaku.Playbook(page.playbook);
    this.isReady = false;
    this.table = new makiyaku.Table(page, playbook);
    this.telling = new makiyaku.Telling(page.words, playbook, Boolean(page.desk));
    this.panels = new makiyaku.Panels(this.table, this.telling);
    this.queue = new makiyaku.Queue(this.table, this.telling, page);
    this.requests = new makiyaku.Requests(page, csrf);
    this.outbox = new makiyaku.Outbox({ event: page.event, csrf, changed: look });
    this.writing = new makiyaku.Writing(form, { ...this, look });
    this.sheets = new makiyaku.Sheets(this, page);
    makiyaku.touch.start();
    document.addEventListener("click", (event) => this.clicked(event));
    document.querySelector("[data-do=share]").hidden = !navigator.share;
    window.addEventListener("beforeunload", (event) => { if (this.outbox.store.isHolding()) event.preventDefault(); });
  }

  static LOOK = 10000; // ms between two looks at how the table stands, where another phone may change it
  static TAPPED = ".result, .deal-line, .counter-step, .counter-fill, .tap-player, .seat, .chip, [data-card], [data-taker-button]";

  async start() {
    try {
      this.table.items = await this.outbox.items();
    } catch {
      this.queue.drawClosed();
      return;
    }
    this.isReady = this.writing.isReady = true;
    await this.writing.show(this.table.next());
    this.draw();
    this.panels.show(await this.home());
    if (this.panels.shown === "form") this.writing.goToDeal();
    this.outbox.start();
    this.keepLooking();
    document.documentElement.dataset.phone = "ready";
    this.queue.codes.load();
    this.sheets.start();
    if (window.isSecureContext) navigator.serviceWorker?.register("/service-worker.js").then(() => this.keepPage()).catch(() => {});
  }

  // ---- What buttons do

  clicked(event) {
    const button = event.target.closest("[data-do]");
    const answer = event.target.closest("dialog [data-answer]");
    if (answer) answer.closest("dialog").close(answer.dataset.answer);
    if (button && this.isReady) {
      makiyaku.touch.buzz(15);
      const name = button.dataset.do.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
      this[name](Number(button.dataset.item));
    } else if (event.target.closest(makiyaku.Phone.TAPPED)) {
      makiyaku.touch.buzz(15);
    }
  }

  again() { this.outbox.again(); }

  async copy() {
    const text = document.getElementById("queue-text");
    text.closest("details").open = true; // what is not shown cannot be chosen
    text.select();
    try { await navigator.clipboard.writeText(text.value); } catch { document.execCommand("copy"); }
    makiyaku.announce(this.telling.words.copied);
  }

  share() { navigator.share({ text: document.getElementById("queue-text").value }).catch(() => {}); }

  takePhone() { this.panels.show(this.table.toAccept() ? "check" : "form", true); }

  // What is to be done now. A phone that does not write shows how the table stands, and what is half-typed on it.
  async home() {
    if (this.table.toAccept()) return "check";
    if (this.table.isFinished()) return "end";
    return this.table.isWriter() || this.table.isEnded() || (await this.writing.draft()) ? "form" : "pass";
  }

  async accept() {
    const round = this.table.toAccept();
    if (round) {
      const label = `${this.telling.title(round.number)}: ${this.telling.words.accepted}`;
      await this.outbox.add(this.requests.make("accept", round.number, round.version, { version: round.version }, label));
    }
    await this.look();
    this.panels.show(await this.home(), true);
  }

  async correct() {
    const round = this.table.toAccept() ?? this.table.last();
    await this.writing.show({ number: round.number, seen: round.version, facts: round.facts, isCorrection: true });
    this.panels.show("form", true);
    this.writing.goToDeal();
  }

  async leaveCorrection() {
    await this.outbox.dropDraft(this.writing.draftKey);
    await this.writing.show(this.table.next());
    this.panels.show(await this.home(), true);
  }

  // The round that was asked about is not right: what is wrong with it?
  doubt() { return this.call(0, this.table.toAccept() ?? this.table.last()); }

  // Call the desk to the table, or to put a round right: which, unless that is known, and what is wrong with it.
  async call(_item, doubted = null) {
    const { telling } = this;
    const rounds = doubted ? [doubted] : this.table.complete();
    const which = document.getElementById("call-round");
    which.replaceChildren(...rounds.map(({ number }) => new Option(telling.title(number), number)).reverse());
    document.getElementById("call-correction").hidden = !rounds.length;
    document.querySelectorAll("#call [data-of-table]").forEach((each) => { each.hidden = Boolean(doubted); });
    const answer = await makiyaku.ask("call", doubted ? telling.say("what_is_wrong", { round: telling.inSentence(doubted.number) }) : telling.words.call_desk);
    if (answer === "no") return;
    const [, ofTable] = answer.split("director:");
    const round = ofTable ? null : rounds.find(({ number }) => number === Number(which.value));
    await this.callDesk(round, round ? { kind: "correction", words: `${telling.title(round.number)}: ${answer}` } : { kind: "director", words: ofTable },
      round ? telling.say("correction_of", { round: telling.inSentence(round.number) }) : telling.words.call);
    await this.look();
    if (this.panels.shown === "check") this.panels.show(await this.home(), true); // the play goes on meanwhile
  }

  async callDesk(about, body, label) {
    const item = this.requests.make("call", Date.now(), about?.version ?? 0, body, label);
    await this.outbox.add({ ...item, about: about?.number });
    document.getElementById("trouble").hidden = true;
  }

  // Whether the desk has been called, and what the table may put right by itself.
  drawCalls() {
    const calling = this.table.calling();
    const box = document.getElementById("call-state");
    const state = box.querySelector("p");
    const what = this.table.calledFor().map((words) => words || this.telling.words.call).join(" · ");
    makiyaku.write(state, calling ? this.telling.say({ waiting: "call_kept", open: "call_sent" }[calling], { what }) : "");
    box.hidden = !calling;
    state.className = `panel-state ${{ waiting: "is-waiting", open: "is-sent" }[calling] ?? ""}`;
    document.querySelector(".more").hidden = !this.table.mayCorrectLast();
  }

  // What is not sent goes from here, what the desk has is taken back there.
  async takeCallBack() {
    await Promise.all(this.table.callsUnsent().map(({ id }) => this.outbox.drop(id)));
    const answers = await Promise.all(this.table.callsOpen().map(({ id }) => this.requests.takeCallBack(id)));
    if (answers.every(Boolean)) { await this.look(); await this.refresh(); return; }
    const state = document.querySelector("#call-state p");
    makiyaku.write(state, this.telling.words.call_not_taken_back);
    state.className = "panel-state is-marked";
  }

  async takeOver() {
    if (!(await this.requests.takeOver())) { makiyaku.announce(this.telling.words.no_answer); return; }
    await this.refresh();
    this.panels.show(await this.home(), true);
    this.outbox.again();
  }

  // Put a marked round back on the form, to be put right.
  async open(id) {
    const item = this.table.items.find((each) => each.id === id);
    const values = makiyaku.RoundFields.values(item.body.facts);
    // Kept as a draft before it leaves the out-box, so that it is nowhere lost.
    await this.outbox.keepDraft(this.table.draftKey({ number: item.number, seen: this.table.rounds()[item.number - 1]?.version ?? 0 }), values);
    await this.outbox.drop(id);
    await this.look();
    const stored = this.table.now.rounds[item.number - 1];
    const round = stored ? { number: item.number, seen: stored.version, facts: stored.facts, isCorrection: stored.complete } : this.table.next();
    await this.outbox.keepDraft(this.table.draftKey(round), values);
    await this.writing.show(round);
    this.panels.show("form", true);
  }

  async drop(id) {
    if ((await makiyaku.ask("sure-drop")) !== "yes") return;
    await this.outbox.drop(id);
    await this.look();
    if (this.panels.shown === "form") this.writing.show(this.table.next());
  }

  // What the desk decided has been read here.
  async noted(id) {
    const decided = this.table.decided();
    const round = ({ about, number }) => about ?? number;
    const read = decided.find((item) => item.id === id);
    await Promise.all(decided.filter((item) => round(item) === round(read)).map((item) => this.outbox.update(item.id, { isRead: true })));
    this.outbox.tell();
  }

  // ---- Keeping up

  sent() { return this.table.items.filter((item) => item.state === "sent").length; }

  async look() {
    const before = this.sent();
    this.table.items = await this.outbox.items();
    const isSent = this.isReady && this.sent() > before;
    if (isSent) makiyaku.touch.beep();
    this.draw();
    if (isSent) this.refresh(); // what the table does next, and whether the desk has come
    if (this.panels.isWatching && this.table.isWriter()) await this.goWhereItIs(); // it has just come to write here
    else if (this.panels.shown !== "form") this.panels.draw();
  }

  // Ask how the table stands; the form stays as it is while something is typed into it.
  async refresh() {
    const asked = this.asked = (this.asked ?? 0) + 1;
    const answer = await this.requests.table();
    if (!answer || asked !== this.asked) return; // no network; or a newer answer is on its way
    if (answer.ended) this.table.now.you = { ...this.table.now.you, may_record: false, ended: answer.ended };
    else if (await this.isSeatedAnew(answer)) return;
    else this.table.now = answer;
    this.known = this.sent();
    if (this.table.disputed().some((item) => this.table.isSettled(item))) this.outbox.again();
    this.draw();
    if (await this.writing.isOutdated()) await this.writing.show(this.table.next());
    await this.goWhereItIs();
  }

  // Whether the desk has seated this table anew: then the page is loaded once more, with those who sit here now, and what
  // was half-typed of a deal of others is none of theirs. Once for each seating: on a slow line the page may be a kept one.
  async isSeatedAnew({ seats, rounds }) {
    const now = seats.map(({ player }) => player).join(" ");
    if (now === this.table.players.join(" ") || window.name === now) return false;
    if (!rounds.length) await this.outbox.dropDraft(this.writing.draftKey);
    window.name = now;
    location.reload();
    return true;
  }

  // Others may have changed what is to be done here. What waits for a tap of the writer's stays, and what is being typed.
  async goWhereItIs() {
    const { shown } = this.panels;
    const home = await this.home();
    const isWriter = this.table.isWriter() && !this.panels.isWatching;
    const isStaying = shown === "form" ? this.writing.round.isCorrection || (isWriter && home !== "end") : isWriter;
    if (isStaying) this.panels.draw();
    else this.panels.show(home, home !== shown);
  }

  draw() {
    const { store } = this.outbox;
    const isKeeping = !store.isRefusing && !store.isHolding();
    document.getElementById("unkept").hidden = isKeeping;
    if (store.isRefusing) this.sheets.giveRoom();
    this.queue.draw(isKeeping);
    this.drawCalls();
    if (this.sheets.box.open) this.sheets.draw();
  }

  keepLooking() {
    const mayChange = () => !this.table.now.rounds.length || this.sent() !== this.known || this.table.calling() || this.table.disputed().length || !this.table.isWriter() || this.table.now.tournament.accepting === "second";
    setInterval(() => {
      if (document.visibilityState === "visible" && mayChange()) this.refresh();
    }, makiyaku.Phone.LOOK);
    document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") this.refresh(); });
  }

  // On https the page itself is kept, too: once, as it came.
  async keepPage() {
    const { serviceWorker } = navigator;
    const { active } = await serviceWorker.ready;
    serviceWorker.onmessage = ({ data }) => { document.documentElement.dataset.shell = data; };
    active.postMessage(location.href);
  }
};

(() => {
  const block = document.getElementById("table");
  if (!block) return;
  makiyaku.phone = new makiyaku.Phone(JSON.parse(block.textContent));
  makiyaku.phone.start();
})();
