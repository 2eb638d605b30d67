// The page of a closed table: lists the unsent rounds as text and as codes for the desk. It goes on retrying them, because
// the server still confirms rounds that it had stored in time; new rounds cannot be recorded here.
makiyaku.ClosedTable = class {
  constructor(page) {
    this.codes = new makiyaku.Codes(page);
    this.outbox = new makiyaku.Outbox({ event: page.event_key, csrf: () => document.querySelector("[name=csrfmiddlewaretoken]").value, changed: () => this.draw() });
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
    document.getElementById("unsent").hidden = !unsent.length;
    document.getElementById("nothing-unsent").hidden = unsent.length > 0;
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
  const block = document.getElementById("outbox-settings");
  if (block) new makiyaku.ClosedTable(JSON.parse(block.textContent)).start();
})();
