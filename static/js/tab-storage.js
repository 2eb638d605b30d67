// Values kept in this tab until it is closed. Where the browser forbids storage, reads are empty and writes do nothing.
window.makiyaku = window.makiyaku || {};

makiyaku.tabStorage = {
  get(key) { try { return sessionStorage.getItem(key) ?? ""; } catch { return ""; } },
  set(key, text) { try { sessionStorage.setItem(key, text); } catch { /* lost with the page */ } },
  remove(key) { try { sessionStorage.removeItem(key); } catch { /* nothing is stored */ } },
};
