// A phone whose table is closed: what it still keeps, as text and as codes for the desk. It asks on about each round, for
// what was stored in time is still answered as it was; nothing new is stored from here.
makiyaku.Kept = class {
  constructor(page) {
    this.codes = new makiyaku.Codes(page);
    this.outbox = new makiyaku.Outbox({ event: page.event, csrf: () => document.querySelector("[name=csrfmiddlewaretoken]").value, changed: () => this.draw() });
    document.querySelector("[data-do=copy]").addEventListener("click", () => this.copy());
  }

  async start() {
    await this.draw();
    this.codes.load();
    this.outbox.start();
    document.documentElement.dataset.phone = "closed";
  }

  async draw() {
    const unsent = (await this.outbox.items()).filter((item) => item.state !== "sent");
    document.getElementById("kept").hidden = !unsent.length;
    document.getElementById("nothing-kept").hidden = unsent.length > 0;
    document.getElementById("queue-text").value = unsent.map((item) => this.codes.text(item)).join("\n\n");
    this.codes.show(unsent.filter((item) => item.kind === "round"));
  }

  async copy() {
    const text = document.getElementById("queue-text");
    text.select();
    try { await navigator.clipboard.writeText(text.value); } catch { document.execCommand("copy"); }
  }
};

(() => {
  const block = document.getElementById("kept-here");
  if (block) new makiyaku.Kept(JSON.parse(block.textContent)).start();
})();
