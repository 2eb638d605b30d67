// Requests the tables every five seconds, and shows them if they have changed. Without the script the page has a link for it.
(() => {
  const board = document.getElementById("board");
  if (!board) return;
  const lost = document.getElementById("board-lost");
  const title = document.title;
  const INTERVAL = 5000;
  let etag = "";
  let waiting;

  const shown = () => board.querySelector("[data-version]");

  function updateTitle() {
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
    updateTitle();
  }

  async function refresh() {
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
    waiting = setTimeout(refresh, INTERVAL);
  }

  document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
  window.addEventListener("online", refresh);
  updateTitle();
  waiting = setTimeout(refresh, INTERVAL);
})();
