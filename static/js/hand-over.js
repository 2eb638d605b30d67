// A scanned code leads here with the round behind the # of the address, which browsers send to nobody. It is taken from
// there into the form; whoever has to log in first finds it again afterwards.
(() => {
  const form = document.getElementById("hand-over");
  const KEY = "makiyaku-hand-over";

  function take() {
    const scanned = location.hash.length > 40 ? location.hash : "";
    if (scanned) {
      history.replaceState(null, "", location.pathname);
      makiyaku.tab.keep(KEY, scanned);
    }
    const text = scanned || makiyaku.tab.kept(KEY);
    if (!text) return;
    form.elements.rounds.value = text;
    if (form.dataset.may !== "yes") return;
    makiyaku.tab.forget(KEY);
    form.requestSubmit(form.elements.look);
  }

  window.addEventListener("hashchange", take);
  take();
})();
