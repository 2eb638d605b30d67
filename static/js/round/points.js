// Shows points and the reasons for them, in the page's template (rounds/_points.html).
makiyaku.Points = class {
  constructor(box, { items }) {
    this.box = box;
    this.items = items;
  }

  // `hints`: sentences; `totals`: [owner, points]; `lines`: [owner, item, points].
  show({ hints = [], totals = [], lines = [], isOver = true }) {
    const shown = document.getElementById("points").content.cloneNode(true);
    this.repeat(shown.querySelector("[data-hint]"), hints, (each, sentence) => { each.textContent = sentence; });
    this.repeat(shown.querySelector("[data-total]"), totals, (each, [name, points]) => {
      each.querySelector("dt").textContent = name;
      each.querySelector("dd").textContent = makiyaku.signed(points);
    });
    this.repeat(shown.querySelector("[data-line]"), lines, (each, line) => this.fillLine(each, line));
    shown.querySelector("[data-totals]").hidden = !totals.length;
    shown.querySelector("[data-lines]").hidden = !lines.length;
    shown.querySelector("[data-goes-on]").hidden = !totals.length || isOver;
    shown.querySelector("[data-nothing]").hidden = totals.length > 0;
    makiyaku.lay(this.box, [...shown.childNodes]);
  }

  // Put one copy of a pattern in its place for each value.
  repeat(pattern, values, fill) {
    pattern.replaceWith(...values.map((value) => {
      const each = pattern.cloneNode(true);
      fill(each, value);
      return each;
    }));
  }

  fillLine(row, [owner, item, points]) {
    const { name, note = "", source } = this.items[item];
    row.querySelector("[data-whose]").textContent = owner;
    row.querySelector("[data-item]").textContent = name;
    row.querySelector("[data-words]").textContent = `「${source.words}」`;
    row.querySelector("[data-text]").textContent = source.text;
    row.querySelector("[data-translation]").textContent = source.translation;
    makiyaku.set(row.querySelector("[data-note]"), "hidden", !note);
    row.querySelector("[data-note]").textContent = note;
    row.querySelector("[data-points]").textContent = makiyaku.signed(points);
  }
};
