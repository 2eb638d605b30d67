// A scanned code opens this page with the round after the # of the address, which browsers do not send. It is moved to the form,
// and stored in the tab while somebody has to log in first. The log-in of the desk may be at https, which has other tabs’ stores:
// the round goes there and back behind the # again.
(() => {
  const form = document.getElementById("hand-over");
  const KEY = "makiyaku-hand-over";

  function readScannedCode() {
    const scanned = location.hash.length > 40 ? location.hash : "";
    if (scanned) {
      history.replaceState(null, "", location.pathname);
      makiyaku.tabStorage.set(KEY, scanned);
    }
    const text = scanned || makiyaku.tabStorage.get(KEY);
    if (!text) return;
    form.elements.rounds.value = text;
    if (form.dataset.may !== "yes") {
      for (const link of document.querySelectorAll("main a[href*='next=']")) link.hash = text;
      return;
    }
    makiyaku.tabStorage.remove(KEY);
    form.requestSubmit(form.elements.look);
  }

  window.addEventListener("hashchange", readScannedCode);
  readScannedCode();
})();
