// Finds one's own seat while the name is typed, and shows the seats of now on a page left open. Without the script the form asks the server.
(() => {
  const list = document.getElementById("seats");
  const search = document.getElementById("seats-q");
  if (!list || !search) return;
  const none = document.getElementById("seats-none");
  const finding = new makiyaku.PlayerSearch(list.dataset.folds);
  const INTERVAL = 30000;
  const isWhole = "whole" in list.dataset; // of several pages, the server searches in all
  let players = [];
  let waiting;

  function read() {
    players = [...list.querySelectorAll("li")].map((line) => {
      const { number, romaji, text, unseated } = line.dataset;
      return { line, number, romaji, isUnseated: unseated !== undefined, text: finding.key(text) };
    });
  }

  function filter() {
    const isFound = finding.finder(search.value);
    let found = 0;
    for (const player of players) {
      const hidden = !isFound(player) || (player.isUnseated && !search.value.trim());
      if (player.line.hidden !== hidden) player.line.hidden = hidden;
      found += !hidden;
    }
    none.hidden = found > 0;
  }

  function show(html) {
    const page = new DOMParser().parseFromString(html, "text/html");
    for (const id of ["seats-session", "seats"]) {
      const [shown, next] = [document.getElementById(id), page.getElementById(id)];
      if (!next) return; // a captive portal, or no longer public
      if (shown.innerHTML !== next.innerHTML) shown.innerHTML = next.innerHTML;
    }
    if (!isWhole) return;
    read();
    filter();
  }

  async function refresh() {
    clearTimeout(waiting);
    if (!document.hidden) {
      try {
        const answer = await fetch(location.href, { signal: AbortSignal.timeout(10000) });
        if (answer.ok) show(await answer.text());
      } catch {
        // No network: the seats stay, under the session that they are of.
      }
    }
    clearTimeout(waiting);
    waiting = setTimeout(refresh, INTERVAL);
  }

  search.addEventListener("focus", () => search.select());
  if (isWhole) {
    search.addEventListener("input", filter);
    search.form.addEventListener("submit", (event) => { event.preventDefault(); search.blur(); });
  }
  document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
  window.addEventListener("pageshow", (event) => { if (event.persisted) refresh(); });
  if (isWhole) {
    read();
    if (search.value) filter();
  }
  waiting = setTimeout(refresh, INTERVAL);
})();
