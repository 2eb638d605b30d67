// The head of the page: the number of unsent items and, opened, a list of them, as text and as codes.
makiyaku.Queue = class {
  constructor(table, wording, page) {
    this.table = table;
    this.wording = wording;
    this.event = page.event_key;
    this.codes = new makiyaku.Codes(page);
    const box = document.getElementById("queue");
    box.addEventListener("toggle", () => { if (box.open) window.scrollTo(0, 0); }); // the list opens there
  }

  draw(isStoring = true) {
    const { byId } = makiyaku.Panels;
    const { words } = this.wording;
    const unsent = this.table.unsent();
    const number = unsent.filter((item) => !this.table.isDisputed(item)).length; // disputed items have reached the desk
    const box = byId("queue");
    box.classList.toggle("is-waiting", unsent.length > 0);
    box.classList.toggle("is-marked", !isStoring || unsent.some((item) => item.state === "marked"));
    byId("queue-words").textContent = number ? this.wording.sentence("unsent", { number })
      : unsent.length ? words.desk_decides : isStoring ? words.nothing_unsent : words.keeps_nothing;
    this.drawItems();
    byId("queue-unsent").hidden = !unsent.length;
    byId("queue-none").hidden = unsent.length > 0;
    makiyaku.write(byId("queue-read-out"), unsent.map((item) => this.codes.readAloud(item)).join("\n\n"));
    byId("queue-text").value = unsent.map((item) => this.codes.text(item)).join("\n\n");
    byId("ended").hidden = !this.table.isEnded();
    byId("ended-removed").hidden = !this.table.isRemoved();
    byId("ended-closed").hidden = this.table.isRemoved() || this.table.isUnknown();
    byId("ended-unknown").hidden = !this.table.isUnknown();
    if (byId("ended-call")) byId("ended-call").hidden = this.table.isUnknown();
    byId("ended-unsent").hidden = !number;
    byId("ended-sent").hidden = unsent.length > 0 || this.table.isUnknown();
    box.querySelectorAll("[data-do=retry], #queue-no-connection").forEach((each) => { each.hidden = this.table.isOver(); });
    byId("other-phone").hidden = this.table.isWriter() || this.table.isEnded();
    this.codes.show(unsent.filter((item) => item.kind === "round"));
    this.drawDecided(this.table.decidedItems()[0]);
    this.drawTrouble(unsent.find((item) => item.state === "marked" && item.code !== "taken_over"));
  }

  // The browser's storage does not open: the number of unsent items is unknown.
  drawStorageError() {
    const { byId } = makiyaku.Panels;
    byId("queue").classList.add("is-marked");
    byId("queue-words").textContent = this.wording.words.no_store;
    byId("storage-warning").hidden = false;
  }

  // The items of this table, then those of others, grouped under event and table.
  drawItems() {
    const { byId } = makiyaku.Panels;
    const [own, ...others] = this.table.unsentByTable().values();
    byId("queue-items").replaceChildren(...own.map((item) => this.item(item)));
    byId("queue-others").replaceChildren(...others.map((items) => this.group(items)));
  }

  group(items) {
    const [{ at }] = items;
    const box = makiyaku.Panels.byId("queue-place").content.cloneNode(true);
    box.querySelector("bdi").textContent = at ? `${at.event} · ${at.table}` : "";
    box.querySelector("p").hidden = this.isOfThisEvent(items[0]);
    box.querySelector("ul").replaceChildren(...items.map((item) => this.item(item)));
    return box;
  }

  // This page sends items of its own event only.
  isOfThisEvent(item) { return item.event === this.event; }

  drawDecided(item) {
    const { byId, list } = makiyaku.Panels;
    const round = item && this.table.rounds()[(item.about ?? item.number) - 1];
    byId("decision").hidden = !round;
    if (!round) return;
    byId("decision").querySelector("strong").textContent = this.wording.sentence(item.about ? "corrected" : "decided", { title: this.wording.roundTitle(round.number), round: this.wording.roundInSentence(round.number) });
    list(byId("decision").querySelector("dl"), this.wording.facts(round.facts));
    byId("decision").querySelector("button").dataset.item = item.id;
  }

  drawTrouble(marked) {
    const { byId } = makiyaku.Panels;
    byId("refusal").hidden = !marked;
    if (!marked) return;
    const both = this.table.isDisputed(marked) && marked.answer.stored ? this.bothVersions(marked) : [];
    const { words } = this.wording;
    const sentence = both.length ? words.told_otherwise : this.wording.reasonUnsent(marked) || words.refused;
    byId("refusal").querySelector("p").textContent = this.wording.labelled(this.codes.name(marked), sentence);
    byId("refusal").querySelector("details").hidden = !both.length;
    makiyaku.Panels.list(byId("refusal").querySelector("dl"), both);
  }

  // The desk's facts and this phone's, for the table to compare.
  bothVersions({ answer, body }) { return this.wording.versions(answer.stored.facts, body.facts); }

  item(item) {
    const { words } = this.wording;
    const box = makiyaku.Panels.byId("queue-item").content.cloneNode(true);
    box.querySelector("[data-name]").textContent = item.label;
    box.querySelector("[data-state]").textContent = this.table.isDisputed(item) ? words.desk_decides : makiyaku.Outbox.isRefused(item) ? words.refused : words.sending;
    box.querySelector("[data-words]").textContent = this.isOfThisEvent(item) ? this.wording.reasonUnsent(item) : item.words ?? "";
    box.querySelector("[data-actions]").hidden = item.state !== "marked";
    box.querySelector("[data-do=edit]").hidden = item.kind !== "round" || !this.table.isOfThisTable(item) || this.table.isOver();
    box.querySelectorAll("[data-do]").forEach((button) => { button.dataset.item = item.id; });
    return box;
  }
};
