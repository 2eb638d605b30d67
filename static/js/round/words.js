// How sentences and points are written.
window.makiyaku = window.makiyaku || {};

// A sentence of the page with its {names} filled in.
makiyaku.fill = (words, values) => String(words ?? "").replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);

// Points as they are written everywhere.
makiyaku.signed = (points) => (points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0");

// What is drawn anew at every tap touches the page only where it changes: what it does not touch need not be laid out
// and painted anew, and is not read out again.

makiyaku.write = (box, words) => { if (box.textContent !== String(words)) box.textContent = words; };

makiyaku.set = (box, property, value) => { if (box[property] !== value) box[property] = value; };

makiyaku.mark = (box, attribute, value) => { if (box.getAttribute(attribute) !== value) box.setAttribute(attribute, value); };

// Put these into a box, unless they are there already.
makiyaku.lay = (box, nodes) => {
  const there = box.childNodes;
  if (there.length !== nodes.length || nodes.some((node, i) => !node.isEqualNode(there[i]))) box.replaceChildren(...nodes);
};
