// Proposes players below the fields in which one is typed, by number, name, reading or romaji. Without the script the browser proposes, and the server finds.
(() => {
  const list = document.getElementById("players");
  if (!list) return;
  const MOST = 6; // players proposed
  const finding = new makiyaku.PlayerSearch(list.dataset.folds);
  const players = [...list.options].map(({ value, dataset, textContent }) => ({
    value,
    number: value.split(" ", 1)[0],
    romaji: dataset.romaji,
    details: textContent.trim(),
    text: finding.key(value + textContent),
  }));

  function button(player, field, proposed) {
    const made = document.createElement("button");
    const name = document.createElement("bdi");
    const details = document.createElement("small");
    made.type = "button";
    made.className = "button";
    name.className = "nowrap";
    name.textContent = player.value;
    details.className = "muted";
    details.textContent = player.details;
    made.append(name, " ", details);
    made.addEventListener("click", () => {
      field.value = player.value;
      proposed.replaceChildren();
      field.focus();
    });
    return made;
  }

  for (const field of document.querySelectorAll("input[list=players]")) {
    const proposed = document.createElement("div");
    proposed.className = "chips";
    proposed.ariaLive = "polite";
    field.removeAttribute("list");
    field.autocomplete = "off";
    field.after(proposed);
    const propose = () => {
      const typed = field.value.trim();
      const isChosen = players.some(({ value }) => value === field.value);
      const numbered = players.filter(({ number }) => number === typed);
      const matching = () => (isChosen || !typed ? [] : players.filter(finding.finder(typed)));
      const found = numbered.length ? numbered : matching(); // a whole number names one player
      proposed.replaceChildren(...found.slice(0, MOST).map((player) => button(player, field, proposed)));
    };
    field.addEventListener("input", propose);
    propose(); // what was refused, or typed before the script was there
  }
})();
