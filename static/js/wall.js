// Fills the projector's picture: writes the standings as large as their rows allow, and a name that is too long for that smaller than the others.
// Without the script the size follows the window alone.
(() => {
  const board = document.querySelector(".board-columns");
  const phone = window.matchMedia("(max-width: 44rem)");
  const SMALLEST = 12;
  const LARGEST = 120; // px
  const LEAST_OF_LONG = 0.7; // of the size of the other names
  const names = [...board.querySelectorAll("td.name")];

  function fits(size) {
    board.style.fontSize = `${size}px`;
    return board.scrollHeight <= board.clientHeight && names.every((name) => name.clientWidth >= LEAST_OF_LONG * name.scrollWidth);
  }

  function shrinkLong() {
    for (const name of names) {
      let size = parseFloat(getComputedStyle(name).fontSize);
      while (name.scrollWidth > name.clientWidth && size > SMALLEST) {
        size *= 0.97;
        name.style.fontSize = `${size}px`;
      }
    }
  }

  function fill() {
    board.style.fontSize = "";
    for (const name of names) name.style.fontSize = "";
    if (phone.matches || !board.firstElementChild) return;
    let [small, large] = [SMALLEST, LARGEST];
    while (large - small > 0.1) {
      const size = (small + large) / 2;
      if (fits(size)) small = size;
      else large = size;
    }
    board.style.fontSize = `${small}px`;
    shrinkLong();
  }

  new ResizeObserver(fill).observe(board); // the clock above it comes and goes
  document.fonts.ready.then(fill);
})();
