// Finds one's own seat while the name is typed. Without the script the form asks the server.
(() => {
  const list = document.getElementById("seats");
  const search = document.getElementById("seats-q");
  if (!list || !search) return;
  const none = document.getElementById("seats-none");
  const finding = new makiyaku.PlayerSearch(JSON.parse(list.dataset.folds));
  const players = [...list.querySelectorAll("li")].map((line) => {
    const { number, romaji, text, unseated } = line.dataset;
    return { line, number, romaji, isUnseated: unseated !== undefined, text: makiyaku.PlayerSearch.key(text) };
  });

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

  search.addEventListener("input", filter);
  search.addEventListener("focus", () => search.select());
  search.form.addEventListener("submit", (event) => { event.preventDefault(); search.blur(); });
  if (search.value) filter();
})();
