// The head of the page: how much is unsent, and everything about it once it is opened, as text and as codes.
makiyaku.Queue = class {
  constructor(table, telling, page) {
    this.table = table;
    this.telling = telling;
    this.codes = new makiyaku.Codes(page);
  }

  draw() {
    const { by } = makiyaku.Panels;
    const { words } = this.telling;
    const unsent = this.table.unsent();
    const last = this.table.rounds().at(-1);
    const box = by("queue");
    box.classList.toggle("is-waiting", unsent.length > 0);
    box.classList.toggle("is-marked", unsent.some((item) => item.state === "marked"));
    by("queue-words").textContent = unsent.length ? this.telling.say("unsent", { number: unsent.length })
      : last ? this.telling.state(last)[0] : words.nothing_unsent;
    by("queue-items").replaceChildren(...unsent.map((item) => this.item(item)));
    by("queue-text").value = unsent.map((item) => this.asText(item)).join("\n\n");
    by("ended").hidden = !this.table.isEnded();
    by("other-phone").hidden = this.table.isWriter() || this.table.isEnded();
    this.codes.show(unsent.filter((item) => item.kind === "round"));
    this.drawTrouble(unsent.find((item) => item.state === "marked" && item.code !== "taken_over"));
    const isAsking = this.table.last();
    document.querySelectorAll("[data-do=ask-correction]").forEach((button) => { button.disabled = !isAsking; });
  }

  drawTrouble(marked) {
    const { by } = makiyaku.Panels;
    by("trouble").hidden = !marked;
    if (marked) by("trouble").querySelector("p").textContent = `${marked.label}: ${marked.words || this.telling.words.refused}`;
  }

  item(item) {
    const { words } = this.telling;
    const isMarked = item.state === "marked";
    const box = makiyaku.Panels.by("queue-item").content.cloneNode(true);
    box.querySelector("[data-name]").textContent = item.label;
    box.querySelector("[data-state]").textContent = isMarked ? words.refused : words.sending;
    box.querySelector("[data-words]").textContent = this.telling.why(item);
    box.querySelector("[data-actions]").hidden = !isMarked;
    box.querySelector("[data-do=open]").hidden = item.kind !== "round" || item.table !== this.table.key;
    box.querySelectorAll("[data-do]").forEach((button) => { button.dataset.item = item.id; });
    return box;
  }

  // For the desk: to be read out, and at its end a line that the desk's page for handed-over rounds reads.
  asText(item) {
    const lines = [item.label];
    if (item.body.facts) lines.push(...this.telling.facts(item.body.facts).map((pair) => pair.filter(Boolean).join(": ")));
    if (item.words) lines.push(item.words);
    return [...lines, item.kind === "round" ? this.codes.line(item) : JSON.stringify(item.body)].join("\n");
  }
};
