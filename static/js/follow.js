// Shows what is played on a page left open. A small document, the same for all readers of a tournament, tells whether anything has
// changed. Only then the page is asked for again (304 if nothing in it has), and its parts, named by their ids, are replaced.
(() => {
  const { mark: address, parts } = document.currentScript.dataset;
  const INTERVAL = 12000;
  const OLDEST = 2000; // ms: how old the page may be that the server and caches share
  const SPREAD = 2000; // ms in which the readers in a hall ask for the page
  let seen = null; // the first mark counts as new: the page may have been cached before it
  let waiting;

  async function textAt(url) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(10000) });
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.text();
  }

  // What the reader has unfolded stays so.
  function unfold(part, next) {
    const folds = [...next.querySelectorAll("details")];
    part.querySelectorAll("details").forEach((each, i) => { if (folds[i]) folds[i].open = each.open; });
  }

  function replace(part, next) {
    unfold(part, next);
    if (part.innerHTML === next.innerHTML) return;
    const focused = part.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    part.innerHTML = next.innerHTML;
    if (focused) part.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  function show(html) {
    const page = new DOMParser().parseFromString(html, "text/html");
    for (const id of parts.split(" ")) {
      const next = page.getElementById(id);
      if (next) replace(document.getElementById(id), next); // else it is a captive portal, or no longer public
    }
  }

  async function look() {
    const mark = await textAt(address);
    if (mark === seen) return;
    await new Promise((resolve) => { setTimeout(resolve, OLDEST + Math.random() * SPREAD); });
    show(await textAt(location.href));
    seen = mark;
  }

  async function follow() {
    clearTimeout(waiting);
    if (!document.hidden) await look().catch(() => {}); // no network: the page stays as it is
    clearTimeout(waiting);
    waiting = setTimeout(follow, INTERVAL);
  }

  document.addEventListener("visibilitychange", () => { if (!document.hidden) follow(); });
  window.addEventListener("pageshow", (event) => { if (event.persisted) follow(); });
  waiting = setTimeout(follow, INTERVAL * Math.random());
})();
