// Fills the projector's picture: writes the standings as large as their rows and names allow. Without the script the size follows the window alone.
(() => {
  const board = document.querySelector(".board-columns");
  const phone = window.matchMedia("(max-width: 44rem)");
  const SMALLEST = 12;
  const LARGEST = 120; // px

  function fits(size) {
    board.style.fontSize = `${size}px`;
    const isCut = (name) => name.scrollWidth > name.clientWidth;
    return board.scrollHeight <= board.clientHeight && ![...board.querySelectorAll("td.name")].some(isCut);
  }

  function fill() {
    board.style.fontSize = "";
    if (phone.matches || !board.firstElementChild) return;
    let [small, large] = [SMALLEST, LARGEST];
    while (large - small > 0.5) {
      const size = (small + large) / 2;
      if (fits(size)) small = size;
      else large = size;
    }
    board.style.fontSize = `${small}px`;
  }

  new ResizeObserver(fill).observe(board); // the clock above it comes and goes
  document.fonts.ready.then(fill);
})();
