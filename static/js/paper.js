// Typing in paper: shows what the lines typed so far say and score, and lets Enter lead on: from line to
// line, from an empty line to the totals on the paper, from the last total to saving.
(() => {
  const form = document.querySelector("form.paper-form");
  if (!form) return;
  const lines = form.elements.rounds;
  const ledger = document.getElementById("paper-ledger");
  const save = document.getElementById("save");
  if (matchMedia("(min-width: 60rem)").matches) form.querySelector(".paper-key").open = true; // there is room beside
  const totals = [...form.querySelectorAll(".paper-totals input")];
  const draft = `paper:${location.pathname}:${form.elements.first.value}:${form.elements.seen.value}`;

  function bringBack() {
    const kept = makiyaku.tab.kept(draft);
    if (kept && lines.value === lines.defaultValue && !form.querySelector(".error")) lines.value = kept;
  }

  function markLine() {
    const at = lines.value.slice(0, lines.selectionStart).split("\n").slice(0, -1).filter((line) => line.trim()).length;
    ledger.querySelectorAll("tr[data-line]").forEach((row) => {
      row.classList.toggle("is-mine", Number(row.dataset.line) === at && document.activeElement === lines);
    });
    if (document.activeElement === lines) bringIntoSight(ledger.querySelector(".is-mine") ?? ledger.querySelector("tr[data-line]:last-child"));
  }
  // Scrolls the ledger alone, never the page: between its head and its totals, which stay.
  function bringIntoSight(row) {
    if (!row) return;
    const box = row.closest(".table-scroll"), table = row.closest("table");
    const below = row.offsetTop + row.offsetHeight + table.tFoot.offsetHeight - box.clientHeight;
    box.scrollTop = Math.min(Math.max(box.scrollTop, below), row.offsetTop - table.tHead.offsetHeight);
  }

  let asked = 0;
  async function ask() {
    const mine = ++asked;
    try {
      const answer = await fetch(form.dataset.preview, { method: "POST", body: new FormData(form) });
      if (!answer.ok) return;
      const html = await answer.text();
      if (mine !== asked) return; // a newer question is on its way
      const next = new DOMParser().parseFromString(html, "text/html").body;
      if (!next.querySelector(".paper-ledger")) return; // not our server's answer
      const { scrollTop } = ledger.querySelector(".table-scroll");
      ledger.replaceChildren(...next.childNodes);
      ledger.querySelector(".table-scroll").scrollTop = scrollTop;
      if (mine > 1) document.querySelector(".error-summary")?.remove(); // it tells of what was typed before
      markLine();
    } catch { /* no network: what is typed stays, and saving asks again */ }
  }

  let waiting;
  form.addEventListener("input", () => {
    makiyaku.tab.keep(draft, lines.value);
    clearTimeout(waiting);
    waiting = setTimeout(ask, 200);
  });

  function onLines(event) {
    const { value, selectionStart: at } = lines;
    const start = value.lastIndexOf("\n", at - 1) + 1;
    const end = value.indexOf("\n", at);
    const line = value.slice(start, end < 0 ? value.length : end).trim();
    if (line || !value.trim() || value.slice(at).trim()) return; // a line like any other
    event.preventDefault();
    if (totals[0]) lead(totals[0]);
  }
  // Goes on to a total or to saving, and scrolls no further than it must: the ledger's totals stay in sight.
  function lead(field) {
    field.focus({ preventScroll: true });
    field.select?.();
    if (field !== save) field.closest(".field").scrollIntoView({ block: "nearest" });
  }

  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    if (event.ctrlKey || event.metaKey) { event.preventDefault(); form.requestSubmit(save); return; }
    if (event.target === lines) { onLines(event); return; }
    const i = totals.indexOf(event.target);
    if (i < 0) return;
    event.preventDefault();
    lead(totals[i + 1] ?? save);
  });
  // Lays the caret at the end of a line, the `at`-th of those with something in them.
  function goTo(at) {
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
    goTo(Number(row.dataset.line));
  });
  document.addEventListener("selectionchange", () => { if (document.activeElement === lines) markLine(); });

  // Begins where something is to be put right: in a line, at a total; else after what is typed.
  function begin() {
    const refused = document.querySelector(".error-summary");
    const row = refused && ledger.querySelector(":is(.has-problem, .has-doubt)[data-line]");
    const total = refused && form.querySelector(".paper-totals .has-error input");
    if (row) goTo(Number(row.dataset.line));
    else if (total) lead(total);
    else if (document.activeElement === lines) lines.setSelectionRange(lines.value.length, lines.value.length);
  }

  bringBack();
  begin();
  ask();
})();
