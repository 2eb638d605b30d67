// The phone's page: connects its parts, and handles its buttons. It works offline.

// Announce a sentence to screen readers.
makiyaku.announce = (sentence) => { document.getElementById("announce").textContent = sentence; };

// Open a dialog and return its answer, "no" if it is closed otherwise. `choices` are added before its own: [answer, words],
// or [words] as a heading.
makiyaku.openDialog = (id, sentence = "", choices = []) => {
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
    const refreshItems = () => this.refreshItems();
    const playbook = new makiyaku.Playbook(page.playbook);
    this.isReady = false;
    this.fingerprint = page.state.tournament.fingerprint;
    this.table = new makiyaku.Table(page, playbook);
    this.wording = new makiyaku.Wording(page.words, playbook, this.table.players, page.before.points.length);
    this.panels = new makiyaku.Panels(this.table, this.wording);
    this.queue = new makiyaku.Queue(this.table, this.wording, page);
    this.requests = new makiyaku.Requests(page, csrf);
    this.outbox = new makiyaku.Outbox({ event: page.event_key, csrf, changed: refreshItems });
    this.comparison = new makiyaku.Comparison(page, this.table, this.outbox);
    this.editor = new makiyaku.RoundEditor(form, { ...this, refreshItems });
    this.leaving = new makiyaku.Leaving(this);
    this.sheets = new makiyaku.Sheets(this, page);
    makiyaku.feedback.start();
    document.addEventListener("click", (event) => this.clicked(event));
    document.querySelector("[data-do=share]").hidden = !navigator.share;
  }

  static REFRESH_INTERVAL = 10000; // ms between two requests for the table's state, which the desk may change at any time
  static TAP_TARGETS = ".result, .deal-line, .counter-step, .counter-fill, .tap-player, .seat, .chip, [data-card], [data-taker-button]";

  async start() {
    try {
      this.table.items = await this.outbox.items();
    } catch {
      this.queue.drawStorageError();
      return;
    }
    this.isReady = this.editor.isReady = true;
    await this.comparison.adoptLost();
    await this.editor.showNext();
    this.draw();
    this.panels.show(await this.currentPanel());
    if (this.panels.shown === "form") this.editor.scrollToDeal();
    this.outbox.start();
    this.leaving.start();
    this.startRefreshing();
    document.documentElement.dataset.phone = "ready";
    this.queue.codes.load();
    this.sheets.start();
    if (window.isSecureContext) navigator.serviceWorker?.register("/service-worker.js").then(() => this.cachePage()).catch(() => {});
  }

  // ---- What buttons do

  clicked(event) {
    const button = event.target.closest("[data-do]");
    const answer = event.target.closest("dialog [data-answer]");
    if (answer) answer.closest("dialog").close(answer.dataset.answer);
    if (button && this.isReady) {
      makiyaku.feedback.buzz(15);
      const name = button.dataset.do.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
      this[name](Number(button.dataset.item));
    } else if (event.target.closest(makiyaku.Phone.TAP_TARGETS)) {
      makiyaku.feedback.buzz(15);
    }
  }

  retry() { this.outbox.retryAll(); }

  async copy() {
    const text = document.getElementById("queue-text");
    text.closest("details").open = true; // hidden text cannot be selected
    text.select();
    try { await navigator.clipboard.writeText(text.value); } catch { document.execCommand("copy"); }
    makiyaku.announce(this.wording.words.copied);
  }

  share() { navigator.share({ text: document.getElementById("queue-text").value }).catch(() => {}); }

  async takePhone() { this.panels.show(await this.currentPanel(), true); }

  // The panel for the next step. A read-only phone shows the table's state, or its own draft if it has one. Once nothing more is
  // recorded here, play is over only by rounds that were taken.
  async currentPanel() {
    if (this.editor.overtaken.version()) return "form";
    if (this.table.isOver()) return this.editor.isTyped() ? "form" : this.table.isFinished() && !this.table.hasUnsentRound() ? "end" : "pass";
    if (this.table.roundToAccept()) return "check";
    if (this.table.isFinished()) return "end";
    return this.table.isWriter() || this.table.isEnded() || (await this.editor.draft()) ? "form" : "pass";
  }

  async accept() {
    const round = this.table.roundToAccept();
    if (round) {
      const label = this.wording.labelled(this.wording.roundTitle(round.number), this.wording.words.accepted);
      await this.outbox.add(this.requests.make("accept", round.number, round.version, { version: round.version }, label));
    }
    await this.refreshItems();
    this.panels.show(await this.currentPanel(), true);
  }

  async correct() {
    const round = this.table.roundToAccept() ?? this.table.lastComplete();
    await this.editor.show({ number: round.number, seen: round.version, facts: round.facts, isCorrection: true });
    this.panels.show("form", true);
    this.editor.scrollToDeal();
  }

  async leaveCorrection() {
    await this.editor.leave();
    this.panels.show(await this.currentPanel(), true);
  }

  // What others have recorded of the round in the form counts.
  takeRecorded() { return this.leaveCorrection(); }

  // Send what is typed all the same: the desk decides.
  sendTyped() { this.editor.form.requestSubmit(); }

  // Ask the desk to correct the round to be accepted.
  askDesk() { return this.call(0, this.table.roundToAccept() ?? this.table.lastComplete()); }

  // Call the desk to the table, or to correct a round: `doubted`, or one chosen in the dialog.
  async call(_item, doubted = null) {
    const { wording } = this;
    const rounds = doubted ? [doubted] : this.table.completeRounds();
    const which = document.getElementById("call-round");
    which.replaceChildren(...rounds.map(({ number }) => new Option(wording.roundTitle(number), number)).reverse());
    document.getElementById("call-correction").hidden = !rounds.length;
    document.querySelectorAll("#call [data-of-table]").forEach((each) => { each.hidden = Boolean(doubted); });
    const answer = await makiyaku.openDialog("call", doubted ? wording.sentence("what_is_wrong", { round: wording.roundInSentence(doubted.number) }) : wording.words.call_desk);
    if (answer === "no") return;
    const [, ofTable] = answer.split("director:");
    const round = ofTable ? null : rounds.find(({ number }) => number === Number(which.value));
    await this.callDesk(round, round ? { kind: "correction", words: wording.labelled(wording.roundTitle(round.number), answer) } : { kind: "director", words: ofTable },
      round ? wording.sentence("correction_of", { round: wording.roundInSentence(round.number) }) : wording.words.call);
    await this.refreshItems();
    if (this.panels.shown === "check") this.panels.show(await this.currentPanel(), true); // play continues meanwhile
  }

  async callDesk(about, body, label) {
    const item = this.requests.make("call", Date.now(), about?.version ?? 0, body, label);
    await this.outbox.add({ ...item, about: about?.number });
    document.getElementById("refusal").hidden = true;
  }

  // Show whether the desk has been called, and whether the table may correct its last round.
  drawCalls() {
    const isOver = this.table.isOver();
    const calling = !isOver && this.table.callState();
    document.querySelectorAll("[data-do=call], [data-sheet=join]").forEach((button) => { button.hidden = isOver; }); // neither works any more
    const box = document.getElementById("call-state");
    const state = box.querySelector("p");
    const what = this.table.callReasons().map((words) => words || this.wording.words.call).join(" · ");
    makiyaku.write(state, calling ? this.wording.sentence({ waiting: "call_kept", open: "call_sent" }[calling], { what }) : "");
    box.hidden = !calling;
    state.className = `panel-state ${{ waiting: "is-waiting", open: "is-sent" }[calling] ?? ""}`;
    document.querySelector(".more").hidden = !this.table.mayCorrectLast();
  }

  // Drop calls that can no longer be made: the page says to go to the desk.
  async dropCalls() {
    const calls = this.table.isOver() ? this.table.unsentCalls() : [];
    if (!calls.length) return;
    const refused = calls.find(({ code }) => makiyaku.Requests.ENDED.includes(code));
    if (refused) this.table.end(refused.code);
    await Promise.all(calls.map(({ id }) => this.outbox.drop(id)));
    this.table.items = await this.outbox.items();
    this.draw();
    document.getElementById("ended").scrollIntoView({ block: "center" });
    if (refused) this.refresh(); // the refusal may be older than the page
  }

  // Unsent calls are dropped here, sent ones are cancelled at the server.
  async takeCallBack() {
    await Promise.all(this.table.unsentCalls().map(({ id }) => this.outbox.drop(id)));
    const answers = await Promise.all(this.table.openCalls().map(({ id }) => this.requests.takeCallBack(id)));
    if (answers.every(Boolean)) { await this.refreshItems(); await this.refresh(); return; }
    const state = document.querySelector("#call-state p");
    makiyaku.write(state, this.wording.words.call_not_taken_back);
    state.className = "panel-state is-marked";
  }

  async takeOver() {
    if (!(await this.requests.takeOver())) { makiyaku.announce(this.wording.words.no_answer); return; }
    await this.refresh();
    this.panels.show(await this.currentPanel(), true);
    this.outbox.retryAll();
  }

  // Open a marked round in the form, to be corrected.
  async edit(id) {
    const item = this.table.items.find((each) => each.id === id);
    const values = makiyaku.RoundFields.values(item.body.facts);
    // It is stored as a draft before it leaves the out-box, so that it is never lost.
    const early = this.table.draftKey({ number: item.number, seen: this.table.rounds()[item.number - 1]?.version ?? 0 });
    await this.outbox.keepDraft(early, values);
    await this.outbox.drop(id);
    await this.refreshItems();
    const stored = this.table.server.rounds[item.number - 1];
    const round = stored ? { number: item.number, seen: stored.version, facts: stored.facts, isCorrection: stored.complete } : this.table.next();
    await this.outbox.keepDraft(this.table.draftKey(round), values);
    if (early !== this.table.draftKey(round)) await this.outbox.dropDraft(early);
    await this.editor.show(round);
    this.panels.show("form", true);
  }

  async discard(id) {
    if ((await makiyaku.openDialog("discard-dialog")) !== "yes") return;
    const { number, seen } = this.table.items.find((each) => each.id === id);
    await this.outbox.drop(id);
    await this.outbox.dropDraft(this.table.draftKey({ number, seen: seen + 1 })); // what followed it
    await this.refreshItems();
    if (this.panels.shown === "form") this.editor.show(this.table.next());
  }

  // Mark a decision of the desk as read.
  async acknowledge(id) {
    const decided = this.table.decidedItems();
    const round = ({ about, number }) => about ?? number;
    const read = decided.find((item) => item.id === id);
    await Promise.all(decided.filter((item) => round(item) === round(read)).map((item) => this.outbox.update(item.id, { isRead: true })));
    this.outbox.notify();
  }

  // ---- The state of the table

  sentCount() { return this.table.items.filter((item) => item.state === "sent").length; }

  async refreshItems() {
    const before = this.sentCount();
    const disputed = this.table.disputedItems().length;
    const wasStopped = this.table.isRefusedAs("finished", "not_next");
    this.table.items = await this.outbox.items();
    await this.dropCalls();
    const isSent = this.isReady && this.sentCount() > before;
    const isStopped = this.isReady && !wasStopped && this.table.isRefusedAs("finished", "not_next"); // its players have changed, or rounds are missing
    if (isSent) makiyaku.feedback.beep();
    this.draw();
    const isDisputed = this.isReady && this.table.disputedItems().length > disputed;
    if (isSent || isStopped || isDisputed) this.refresh(); // the next step may depend on it, and the desk may have answered
    const isWriterAgain = this.panels.isReadOnly && this.table.isWriter(); // this phone has just become the writer
    if (this.isReady && (isWriterAgain || this.table.isOver())) await this.showCurrentPanel();
    else if (this.panels.shown !== "form") this.panels.draw();
  }

  // Request the table's state; a form with a draft stays as it is.
  async refresh() {
    const request = this.latestRequest = (this.latestRequest ?? 0) + 1;
    const askedAt = Date.now();
    const answer = await this.requests.table();
    if (!answer || request !== this.latestRequest) return; // offline, or a newer request has been sent
    if (answer.ended) this.table.end(answer.ended);
    else if (this.followTable(answer) || await this.reloadIfReseated(answer) || this.reloadForRules(answer)) return;
    else this.table.hear(answer);
    await this.dropCalls();
    if (this.table.isPlannedAnew()) await this.renewPlaybook();
    if (!answer.ended) {
      await this.comparison.compare(answer, askedAt);
      await this.comparison.adoptLost();
    } else if (this.table.isUnknown()) await this.comparison.markUnknown();
    await this.comparison.compareOthers(answer.epoch);
    if (this.table.disputedItems().some((item) => this.table.isSettled(item))) this.outbox.retryAll();
    this.draw();
    await this.editor.overtaken.followRefused();
    if (await this.editor.isOutdated()) await this.editor.leave();
    this.editor.overtaken.draw();
    await this.showCurrentPanel();
  }

  // Go on with those who play at this table now, if players have joined or left and everything is sent; return whether the
  // page leaves. What is unsent belongs to the players before, so that it is shown until it is sent or deleted.
  followTable({ goes_on: onward }) {
    if (!onward?.link || !this.table.isWriter() || this.table.unsentByTable().get(this.table.key).length) return false;
    this.leaving.leaveBy(() => location.assign(onward.link));
    return true;
  }

  // Reload the page if the desk has reseated the table, and return whether it has. A draft of the first deal is dropped: it
  // was of other players.
  async reloadIfReseated({ seats, rounds }) {
    const now = seats.map(({ player }) => player).join(" ");
    if (now === this.table.players.join(" ") || window.name === now) return false;
    if (!rounds.length) await this.outbox.dropDraft(this.editor.draftKey);
    return this.reloadFor(now);
  }

  // Reload the page if the desk has changed the rules, which it may until a round is recorded; return whether it has.
  reloadForRules({ tournament: { fingerprint } }) {
    if (fingerprint === this.fingerprint || window.name === fingerprint) return false;
    return this.reloadFor(fingerprint);
  }

  // Reload once for each `change`, since on a slow line the page may come from the cache.
  reloadFor(change) {
    window.name = change;
    this.leaving.leaveBy(() => location.reload());
    return true;
  }

  // Look up trumps in the table's page as it is now, since another number of rounds is planned. Without an answer, the next
  // state of the table leads here again.
  async renewPlaybook() {
    const page = await this.requests.newerPage();
    if (!page) return;
    this.table.renew(page);
    this.editor.followTrump();
    this.sheets.fetch("chart");
    if (window.isSecureContext) this.cachePage().catch(() => {});
  }

  // Show the panel for the next step, unless the writer is typing or has to tap something first.
  async showCurrentPanel() {
    const { shown } = this.panels;
    const current = await this.currentPanel();
    const isWriter = this.table.isWriter() && !this.panels.isReadOnly;
    const isStaying = shown === "form" ? this.editor.round.isCorrection || (isWriter && current !== "end") : isWriter && shown !== "end" && !(shown === "pass" && current === "end");
    if (isStaying && !this.table.isOver()) this.panels.draw();
    else this.panels.show(current, current !== shown);
  }

  draw() {
    const { store } = this.outbox;
    const isStoring = !store.isRefusing && !store.hasUnstored();
    document.getElementById("storage-warning").hidden = isStoring;
    if (store.isRefusing) this.sheets.freeStorage();
    this.queue.draw(isStoring);
    this.editor.drawTotals();
    this.drawCalls();
    if (this.sheets.box.open) this.sheets.draw();
  }

  startRefreshing() {
    if (this.table.sentItems().length) this.refresh(); // compares them
    setInterval(() => {
      if (document.visibilityState === "visible" && !this.table.isEnded()) this.refresh();
    }, makiyaku.Phone.REFRESH_INTERVAL);
    document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") this.refresh(); });
  }

  // Over https the service worker caches the page as well.
  async cachePage() {
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
