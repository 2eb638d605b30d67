// Typing in final totals: shows what they sum to so far, and a tick once all of them make 0.
(() => {
  const sum = document.querySelector("[data-sum-of]");
  if (!sum) return;
  const boxes = [...document.querySelectorAll(`input[name^="${sum.dataset.sumOf}"]`)];
  const agrees = sum.parentElement.querySelector(".icon-check");

  // As `forms/paper_entry.py` reads them: −12, ▲5, ＋３, ー5; null for what is no number of points.
  function points(text) {
    const found = /^([+\-‐‑‒–—―−─━ー⁻▲△])?\s*(\d{1,6})$/.exec(text.normalize("NFKC").trim());
    return found && Number(found[2]) * (found[1] && found[1] !== "+" ? -1 : 1);
  }
  function show() {
    const read = boxes.map((box) => points(box.value));
    const known = read.filter((each) => each !== null);
    const total = known.reduce((so, each) => so + each, 0);
    sum.value = known.length ? `${total > 0 ? "+" : total < 0 ? "−" : ""}${Math.abs(total)}` : "–";
    if (agrees) agrees.hidden = known.length < boxes.length || total !== 0;
  }
  boxes.forEach((box) => box.addEventListener("input", show));
  show();
})();
