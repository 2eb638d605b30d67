// How sentences and points are written.
window.makiyaku = window.makiyaku || {};

// A sentence of the page with its {names} filled in.
makiyaku.fill = (words, values) => String(words ?? "").replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);

// Points as they are written everywhere.
makiyaku.signed = (points) => (points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0");
