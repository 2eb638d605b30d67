// Requests the tables every five seconds, and replaces those that have changed. Without the script the page has a link for it.
(() => {
  const board = document.getElementById("board");
  if (!board) return;
  const lost = document.getElementById("board-lost");
  const title = document.title;
  const INTERVAL = 5000;
  let etag = "";
  let waiting;

  const shown = () => board.querySelector("[data-version]");
  const tables = (of) => [...of.querySelectorAll("li[data-mark]")];

  function updateTitle() {
    const open = Number(shown()?.dataset.waiting ?? 0);
    document.title = open ? `(${open}) ${title}` : title;
  }

  function replace(current, next) {
    const focused = current.contains(document.activeElement) ? document.activeElement.id : "";
    current.replaceWith(next);
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  }

  // A table with the mark of the one shown comes without its contents.
  function replaceChanged(current, next) {
    Object.assign(current.dataset, { version: next.dataset.version, waiting: next.dataset.waiting });
    for (const part of [next.querySelector("#board-head"), ...tables(next)]) {
      const old = document.getElementById(part.id);
      if (old.dataset.mark !== part.dataset.mark) replace(old, part);
    }
    replace(document.getElementById("board-time"), next.querySelector("#board-time"));
  }

  function show(html) {
    const next = new DOMParser().parseFromString(html, "text/html").querySelector("[data-version]");
    if (!next) throw new Error("not a board"); // a captive portal, or the log-in page
    const current = shown();
    if (Number(next.dataset.version) < Number(current.dataset.version)) return; // never backwards
    const ids = (of) => tables(of).map((table) => table.id).join();
    if (ids(current) === ids(next)) replaceChanged(current, next);
    else {
      for (const table of tables(next)) if (!table.firstChild) table.replaceWith(document.getElementById(table.id));
      replace(current, next);
    }
    updateTitle();
  }

  async function refresh() {
    clearTimeout(waiting);
    if (!document.hidden) {
      try {
        const marks = tables(shown()).map((table) => table.dataset.mark);
        const headers = { "Board-Tables": marks.join(" "), ...(etag ? { "If-None-Match": etag } : {}) };
        const options = { headers, cache: "no-store", signal: AbortSignal.timeout(10000) };
        const answer = await fetch(board.dataset.address, options);
        if (answer.status !== 304) {
          if (!answer.ok) throw new Error(String(answer.status));
          show(await answer.text());
          etag = answer.headers.get("ETag") ?? "";
        }
        lost.hidden = true;
      } catch {
        lost.hidden = false;
      }
    }
    clearTimeout(waiting);
    waiting = setTimeout(refresh, INTERVAL);
  }

  document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
  window.addEventListener("online", refresh);
  updateTitle();
  waiting = setTimeout(refresh, INTERVAL);
})();
