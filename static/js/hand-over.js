// A scanned code leads here with the round behind the # of the address, which browsers send to nobody. It is taken from
// there into the form; whoever has to log in first finds it again afterwards.
(() => {
  const form = document.getElementById("hand-over");
  const KEY = "makiyaku-hand-over";
  const keep = (text) => { try { sessionStorage.setItem(KEY, text); } catch { /* to be scanned once more */ } };
  const kept = () => { try { return sessionStorage.getItem(KEY) ?? ""; } catch { return ""; } };
  const forget = () => { try { sessionStorage.removeItem(KEY); } catch { /* nothing kept */ } };

  function take() {
    const scanned = location.hash.length > 40 ? location.hash : "";
    if (scanned) {
      history.replaceState(null, "", location.pathname);
      keep(scanned);
    }
    const text = scanned || kept();
    if (!text) return;
    form.elements.rounds.value = text;
    if (form.dataset.may !== "yes") return;
    forget();
    form.requestSubmit(form.elements.look);
  }

  window.addEventListener("hashchange", take);
  take();
})();
