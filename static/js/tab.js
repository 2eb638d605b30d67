// What is kept in this tab until it is closed: nothing where the browser lets pages keep nothing.
window.makiyaku = window.makiyaku || {};

makiyaku.tab = {
  kept(key) { try { return sessionStorage.getItem(key) ?? ""; } catch { return ""; } },
  keep(key, text) { try { sessionStorage.setItem(key, text); } catch { /* gone with the page, then */ } },
  forget(key) { try { sessionStorage.removeItem(key); } catch { /* nothing kept */ } },
};
