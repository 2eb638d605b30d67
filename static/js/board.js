// Keeps the board fresh: asks every five seconds for the tables, and shows them when they have changed.
// Without it, the page has a link that does the same.
(() => {
  const board = document.getElementById("board");
  if (!board) return;
  const lost = document.getElementById("board-lost");
  const title = document.title;
  const EVERY = 5000;
  let etag = "";
  let waiting;

  const shown = () => board.querySelector("[data-version]");

  function tell() {
    const open = Number(shown()?.dataset.waiting ?? 0);
    document.title = open ? `(${open}) ${title}` : title;
  }

  function show(html) {
    const next = new DOMParser().parseFromString(html, "text/html").querySelector("[data-version]");
    if (!next) throw new Error("not a board"); // a captive portal, or the log-in page
    if (Number(next.dataset.version) < Number(shown().dataset.version)) return; // never backwards
    const focused = document.activeElement?.id;
    board.replaceChildren(next);
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    tell();
  }

  async function ask() {
    clearTimeout(waiting);
    if (!document.hidden) {
      try {
        const headers = etag ? { "If-None-Match": etag } : {};
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
    waiting = setTimeout(ask, EVERY);
  }

  document.addEventListener("visibilitychange", () => { if (!document.hidden) ask(); });
  window.addEventListener("online", ask);
  tell();
  waiting = setTimeout(ask, EVERY);
})();
