// The head of the page: how much is unsent, and everything about it once it is opened, as text and as codes.
makiyaku.Queue = class {
  constructor(table, telling, page) {
    this.table = table;
    this.telling = telling;
    this.event = page.event;
    this.codes = new makiyaku.Codes(page);
    const box = document.getElementById("queue");
    box.addEventListener("toggle", () => { if (box.open) window.scrollTo(0, 0); }); // the list opens there
  }

  draw(isKeeping = true) {
    const { by } = makiyaku.Panels;
    const { words } = this.telling;
    const unsent = this.table.unsent();
    const number = unsent.filter((item) => !this.table.isDisputed(item)).length; // the desk has those
    const box = by("queue");
    box.classList.toggle("is-waiting", unsent.length > 0);
    box.classList.toggle("is-marked", !isKeeping || unsent.some((item) => item.state === "marked"));
    by("queue-words").textContent = number ? this.telling.say("unsent", { number })
      : unsent.length ? words.desk_decides : isKeeping ? words.nothing_unsent : words.keeps_nothing;
    this.drawItems();
    by("queue-unsent").hidden = !unsent.length;
    by("queue-none").hidden = unsent.length > 0;
    makiyaku.write(by("queue-read"), unsent.map((item) => this.codes.told(item)).join("\n\n"));
    by("queue-text").value = unsent.map((item) => this.codes.text(item)).join("\n\n");
    by("ended").hidden = !this.table.isEnded();
    by("ended-removed").hidden = !this.table.isRemoved();
    by("ended-closed").hidden = this.table.isRemoved();
    by("other-phone").hidden = this.table.isWriter() || this.table.isEnded();
    this.codes.show(unsent.filter((item) => item.kind === "round"));
    this.drawDecided(this.table.decided()[0]);
    this.drawTrouble(unsent.find((item) => item.state === "marked" && item.code !== "taken_over"));
  }

  // The browser's storage does not open, so that nothing is known of what it keeps.
  drawClosed() {
    const { by } = makiyaku.Panels;
    by("queue").classList.add("is-marked");
    by("queue-words").textContent = this.telling.words.no_store;
    by("unkept").hidden = false;
  }

  // This table's, and those of others apart, under the name of their event and table.
  drawItems() {
    const { by } = makiyaku.Panels;
    const [own, ...others] = this.table.unsentByTable().values();
    by("queue-items").replaceChildren(...own.map((item) => this.item(item)));
    by("queue-others").replaceChildren(...others.map((items) => this.place(items)));
  }

  place(items) {
    const [{ at }] = items;
    const box = makiyaku.Panels.by("queue-place").content.cloneNode(true);
    box.querySelector("bdi").textContent = at ? `${at.event} · ${at.table}` : "";
    box.querySelector("p").hidden = this.isSentHere(items[0]);
    box.querySelector("ul").replaceChildren(...items.map((item) => this.item(item)));
    return box;
  }

  // Whether this page sends it: what is of its own event.
  isSentHere(item) { return item.event === this.event; }

  drawDecided(item) {
    const { by, list } = makiyaku.Panels;
    const round = item && this.table.rounds()[(item.about ?? item.number) - 1];
    by("decided").hidden = !round;
    if (!round) return;
    by("decided").querySelector("strong").textContent = this.telling.say(item.about ? "corrected" : "decided", { title: this.telling.title(round.number), round: this.telling.inSentence(round.number) });
    list(by("decided").querySelector("dl"), this.telling.facts(round.facts));
    by("decided").querySelector("button").dataset.item = item.id;
  }

  drawTrouble(marked) {
    const { by } = makiyaku.Panels;
    by("trouble").hidden = !marked;
    if (!marked) return;
    const both = this.table.isDisputed(marked) ? this.bothVersions(marked) : [];
    const { words } = this.telling;
    const sentence = both.length ? words.told_otherwise : marked.words || words[marked.isForeign ? "foreign" : "refused"];
    by("trouble").querySelector("p").textContent = `${this.codes.name(marked)}: ${sentence}`;
    by("trouble").querySelector("details").hidden = !both.length;
    makiyaku.Panels.list(by("trouble").querySelector("dl"), both);
  }

  // Where the desk has other facts of a round than this phone: both, for the table to compare.
  bothVersions({ answer, body }) {
    const { words } = this.telling;
    const told = (facts) => this.telling.lines(facts).join("\n");
    return [[words.at_desk, told(answer.stored.facts)], [words.on_phone, told(body.facts)]];
  }

  item(item) {
    const { words } = this.telling;
    const isMarked = item.state === "marked";
    const box = makiyaku.Panels.by("queue-item").content.cloneNode(true);
    box.querySelector("[data-name]").textContent = item.label;
    box.querySelector("[data-state]").textContent = this.table.isDisputed(item) ? words.desk_decides : isMarked && !item.isForeign ? words.refused : words.sending;
    box.querySelector("[data-words]").textContent = this.isSentHere(item) ? this.telling.why(item) : item.words ?? "";
    box.querySelector("[data-actions]").hidden = !isMarked;
    box.querySelector("[data-do=open]").hidden = item.kind !== "round" || !this.table.isMine(item);
    box.querySelectorAll("[data-do]").forEach((button) => { button.dataset.item = item.id; });
    return box;
  }
};
