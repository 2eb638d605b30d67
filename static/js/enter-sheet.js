// Entering a paper sheet: previews the lines typed so far with their scores. Enter moves from line to line, from an empty line to
// the totals, and from the last total to saving.
(() => {
  const form = document.querySelector("form.paper-form");
  if (!form) return;
  const lines = form.elements.rounds;
  const ledger = document.getElementById("paper-ledger");
  const save = document.getElementById("save");
  if (matchMedia("(min-width: 60rem)").matches) form.querySelector(".paper-key").open = true; // there is room beside
  const totals = [...form.querySelectorAll(".paper-totals input")];
  const draft = `paper:${location.pathname}:${form.elements.first.value}:${form.elements.seen.value}`;

  function restoreDraft() {
    const stored = makiyaku.tabStorage.get(draft);
    if (stored && lines.value === lines.defaultValue && !form.querySelector(".error")) lines.value = stored;
  }

  function markLine() {
    const at = lines.value.slice(0, lines.selectionStart).split("\n").slice(0, -1).filter((line) => line.trim()).length;
    ledger.querySelectorAll("tr[data-line]").forEach((row) => {
      row.classList.toggle("is-mine", Number(row.dataset.line) === at && document.activeElement === lines);
    });
    if (document.activeElement === lines) scrollToRow(ledger.querySelector(".is-mine") ?? ledger.querySelector("tr[data-line]:last-child"));
  }
  // Scrolls the ledger alone, never the page: between its head and its totals, which stay.
  function scrollToRow(row) {
    if (!row) return;
    const box = row.closest(".table-scroll"), table = row.closest("table");
    const below = row.offsetTop + row.offsetHeight + table.tFoot.offsetHeight - box.clientHeight;
    box.scrollTop = Math.min(Math.max(box.scrollTop, below), row.offsetTop - table.tHead.offsetHeight);
  }

  let requests = 0;
  async function refreshPreview() {
    const request = ++requests;
    try {
      const answer = await fetch(form.dataset.preview, { method: "POST", body: new FormData(form) });
      if (!answer.ok) return;
      const html = await answer.text();
      if (request !== requests) return; // a newer request has been sent
      const next = new DOMParser().parseFromString(html, "text/html").body;
      if (!next.querySelector(".paper-ledger")) return; // not our server's answer
      const { scrollTop } = ledger.querySelector(".table-scroll");
      ledger.replaceChildren(...next.childNodes);
      ledger.querySelector(".table-scroll").scrollTop = scrollTop;
      if (request > 1) document.querySelectorAll(".error-summary, .paper-totals .error").forEach((each) => each.remove()); // they are about earlier input
      markLine();
    } catch { /* offline: the input stays, and is checked when it is saved */ }
  }

  let waiting;
  form.addEventListener("input", () => {
    makiyaku.tabStorage.set(draft, lines.value);
    clearTimeout(waiting);
    waiting = setTimeout(refreshPreview, 200);
  });

  function leaveLines(event) {
    const { value, selectionStart: at } = lines;
    const start = value.lastIndexOf("\n", at - 1) + 1;
    const end = value.indexOf("\n", at);
    const line = value.slice(start, end < 0 ? value.length : end).trim();
    if (line || !value.trim() || value.slice(at).trim()) return; // an ordinary line break
    event.preventDefault();
    if (totals[0]) focusField(totals[0]);
  }
  // Scrolls no further than necessary, so that the ledger's totals stay in view.
  function focusField(field) {
    field.focus({ preventScroll: true });
    field.select?.();
    if (field !== save) field.closest(".field").scrollIntoView({ block: "nearest" });
  }

  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    if (event.ctrlKey || event.metaKey) { event.preventDefault(); form.requestSubmit(save); return; }
    if (event.target === lines) { leaveLines(event); return; }
    const i = totals.indexOf(event.target);
    if (i < 0) return;
    event.preventDefault();
    focusField(totals[i + 1] ?? save);
  });
  // Moves the caret to the end of the `at`-th line that is not empty.
  function moveCaretTo(at) {
    let end = -1, left = at + 1;
    for (const line of lines.value.split("\n")) {
      end += line.length + 1;
      if (line.trim() && !--left) break;
    }
    lines.focus();
    lines.setSelectionRange(end, end);
  }
  ledger.addEventListener("click", (event) => {
    const row = event.target.closest("tfoot a") && ledger.querySelector(new URL(event.target.href).hash);
    if (!row) return;
    event.preventDefault();
    moveCaretTo(Number(row.dataset.line));
  });
  document.addEventListener("selectionchange", () => { if (document.activeElement === lines) markLine(); });

  // Begins at the first problem, in a line or a total; else at the end of the input.
  function begin() {
    const refused = document.querySelector(".error-summary");
    const row = refused && ledger.querySelector(":is(.has-problem, .has-doubt)[data-line]");
    const total = refused && form.querySelector(".paper-totals .has-error input");
    if (row) moveCaretTo(Number(row.dataset.line));
    else if (total) focusField(total);
    else if (document.activeElement === lines) lines.setSelectionRange(lines.value.length, lines.value.length);
  }

  restoreDraft();
  begin();
  refreshPreview();
})();
