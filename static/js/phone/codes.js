// What is unsent, for the desk: as text, and as QR codes, one a round. A code is the address of the desk's page, and behind
// its # the request itself, which no server's log ever sees. Items may be of other tables and events: each says so. The library is loaded once the page is ready, so that it is there before the network goes.
makiyaku.Codes = class {
  constructor(page) {
    this.page = page;
    this.items = [];
    this.at = 0;
    this.box = document.getElementById("codes");
    this.box.addEventListener("click", (event) => {
      const step = event.target.closest("[data-code-step]");
      if (step) this.turn(Number(step.dataset.codeStep));
    });
  }

  load() {
    if (this.page.qr && !window.qrcode && !this.loading) this.ask();
  }

  ask() {
    const script = document.createElement("script");
    this.loading = true;
    script.src = this.page.qr;
    script.addEventListener("load", () => this.draw());
    script.addEventListener("error", () => { // with the network gone: asked for again when it is back
      script.remove();
      this.loading = false;
      window.addEventListener("online", () => this.load(), { once: true });
    });
    document.head.append(script);
  }

  show(items) {
    this.items = this.page.desk ? items : []; // nobody scans them at a table without a desk
    this.at = Math.min(this.at, Math.max(0, items.length - 1));
    this.draw();
  }

  turn(step) {
    this.at = (this.at + step + this.items.length) % this.items.length;
    this.draw();
  }

  isHere(item) { return item.table === this.page.key; }

  name(item) { return this.isHere(item) || !item.at ? item.label : `${item.at.event}: ${item.label}`; }

  // To be read out.
  told(item) { return [this.name(item), ...(item.told ?? []), item.words].filter(Boolean).join("\n"); }

  // To be copied: the same, and at its end a line that the desk's page for handed-over rounds reads.
  text(item) { return `${this.told(item)}\n${item.kind === "round" ? this.line(item) : JSON.stringify(item.body)}`; }

  // The request as the desk's page reads it.
  line({ mark, address, key, body }) {
    return JSON.stringify({ of: mark, to: address, key, seen: body.seen, facts: body.facts, reason: body.reason });
  }

  address(item) {
    const bytes = new TextEncoder().encode(this.line(item));
    const code = btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
    return `${new URL(this.page.desk, location.href).href}#${code}`;
  }

  draw() {
    this.box.hidden = !window.qrcode || !this.items.length;
    if (this.box.hidden) return;
    const item = this.items[this.at];
    this.box.querySelectorAll("[data-code-step]").forEach((button) => { button.hidden = this.items.length < 2; });
    this.box.querySelector("figcaption").textContent = `${this.name(item)} (${this.at + 1}/${this.items.length})`;
    if (this.drawn !== item.key) this.drawCode(this.address(item));
    this.drawn = item.key;
  }

  // What no code holds is left to the text beside it.
  drawCode(text) {
    const code = this.code(text, "M") ?? this.code(text, "L");
    const canvas = this.box.querySelector("canvas");
    canvas.hidden = !code;
    if (code) this.paint(canvas, code);
  }

  code(text, level) {
    const code = window.qrcode(0, level);
    code.addData(text, "Byte");
    try { code.make(); } catch { return null; } // the library throws a text: it would be too long
    return code;
  }

  // Four dots around, as scanners want it; as big as the box, whatever the screen.
  paint(canvas, code) {
    const [count, edge, dot] = [code.getModuleCount(), 4, 8];
    canvas.width = canvas.height = (count + 2 * edge) * dot;
    const pen = canvas.getContext("2d");
    pen.fillStyle = "#fff";
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.fillStyle = "#000";
    for (let row = 0; row < count; row++) {
      for (let column = 0; column < count; column++) {
        if (code.isDark(row, column)) pen.fillRect((column + edge) * dot, (row + edge) * dot, dot, dot);
      }
    }
    canvas.dataset.dots = count;
  }
};
