// Unsent items for the desk, as text and as QR codes, one a round. A code is the address of the desk's page with the request
// after the #, which browsers do not send, so that it is in no log. Items of other tables and events are labelled as such.
// The library is loaded once the page is ready, so that it is available offline.
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
    if (this.page.qr && !window.qrcode && !this.loading) this.loadLibrary();
  }

  loadLibrary() {
    const script = document.createElement("script");
    this.loading = true;
    script.src = this.page.qr;
    script.addEventListener("load", () => this.draw());
    script.addEventListener("error", () => { // offline: loaded again when the browser is online
      script.remove();
      this.loading = false;
      window.addEventListener("online", () => this.load(), { once: true });
    });
    document.head.append(script);
  }

  show(items) {
    this.items = this.page.desk ? items : []; // without a desk nobody scans them
    this.at = Math.min(this.at, Math.max(0, items.length - 1));
    this.draw();
  }

  turn(step) {
    this.at = (this.at + step + this.items.length) % this.items.length;
    this.draw();
  }

  isHere(item) { return item.table === this.page.table_key; }

  name(item) { return this.isHere(item) || !item.at ? item.label : `${item.at.event}: ${item.label}`; }

  // The text to be read out.
  readAloud(item) { return [this.name(item), ...(item.told ?? []), item.words].filter(Boolean).join("\n"); }

  // The text to be copied: the same, and a last line that the desk's page parses.
  text(item) { return `${this.readAloud(item)}\n${item.kind === "round" ? this.line(item) : JSON.stringify(item.body)}`; }

  // The request as the desk's page parses it.
  line({ mark, address, key, body }) {
    return JSON.stringify({ of: mark, to: address, key, ...body });
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

  // Requests too long for a code are only in the text beside it.
  drawCode(text) {
    const code = this.code(text, "M") ?? this.code(text, "L");
    const canvas = this.box.querySelector("canvas");
    canvas.hidden = !code;
    if (code) this.paint(canvas, code);
  }

  code(text, level) {
    const code = window.qrcode(0, level);
    code.addData(text, "Byte");
    try { code.make(); } catch { return null; } // too long: the library throws a string
    return code;
  }

  // Scanners need a margin of four dots; CSS scales the canvas to its box.
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
