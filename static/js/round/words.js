// Formats sentences and points, and updates elements.
window.makiyaku = window.makiyaku || {};

// Return a sentence with its {names} filled in.
makiyaku.fill = (words, values) => String(words ?? "").replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);

// Return points with their sign.
makiyaku.signed = (points) => (points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0");

// Elements are changed only if their contents differ: unchanged ones are not laid out and painted again at every tap, and not
// read out again.

makiyaku.write = (box, words) => { if (box.textContent !== String(words)) box.textContent = words; };

makiyaku.set = (box, property, value) => { if (box[property] !== value) box[property] = value; };

makiyaku.mark = (box, attribute, value) => { if (box.getAttribute(attribute) !== value) box.setAttribute(attribute, value); };

// Replace the children of a box, unless they are equal.
makiyaku.lay = (box, nodes) => {
  const there = box.childNodes;
  if (there.length !== nodes.length || nodes.some((node, i) => !node.isEqualNode(there[i]))) box.replaceChildren(...nodes);
};
