// The roll call: sends each tap by itself, shows what others mark, and searches. Without the script every button is a form.
(() => {
  const form = document.getElementById("roll");
  if (!form) return;
  const INTERVAL = 5000; // between two questions for what others have marked, and before sending again
  const search = document.getElementById("roll-q");
  const filters = [...document.querySelectorAll("[data-show]")];
  const lines = new Map([...form.querySelectorAll("li")].map((line) => [line.id.slice(1), line]));
  const isWhole = !("page" in form.dataset); // of several pages, the server searches in all
  let elsewhere = {}; // how many players on other pages have each status
  const substitutes = new Set(form.dataset.substitutes.split(" ")); // numbers of who is counted apart from the players
  const kindOf = (number, status) => (!substitutes.has(number) ? status : ["present", "expected"].includes(status) ? "substitute" : "substitute-away");
  const names = new Map(); // by number: name, reading and club as they are searched
  const [unsent, lost, stale, refused, none] = ["unsent", "lost", "stale", "refused", "none"].map((name) => document.getElementById(`roll-${name}`));
  const substitute = document.getElementById("roll-substitute");
  const rest = document.getElementById("roll-rest");
  const seats = document.getElementById("roll-seats");
  const places = document.getElementById("roll-places");
  const waiting = new Map(); // by number: {seen, wanted}, until the server has answered
  let version = Number(form.dataset.version);
  let shown = filters.find((each) => each.ariaCurrent)?.dataset.show ?? "";
  let isSending = false;
  let etag = "";
  let polling;
  let retrying;

  // Searching
  const finding = new makiyaku.PlayerSearch(form.dataset.folds);
  const { key } = finding;
  function filter() {
    const finds = finding.finder(search.value);
    let found = 0;
    for (const [number, { dataset, hidden: was }] of lines) {
      const isFound = finds({ number, text: names.get(number), romaji: dataset.romaji });
      const hidden = !isFound || (shown !== "" && kindOf(number, dataset.status) !== shown);
      if (hidden !== was) lines.get(number).hidden = hidden;
      found += !hidden;
    }
    none.hidden = found > 0;
    const query = new URLSearchParams(Object.entries({ q: search.value, show: shown }).filter(([, value]) => value));
    history.replaceState(null, "", query.size ? `?${query}` : location.pathname);
  }
  for (const [number, line] of lines) names.set(number, key(line.querySelector("bdi").textContent + line.querySelector("small").textContent));
  search.addEventListener("focus", () => search.select());
  if (isWhole) {
    search.addEventListener("input", filter);
    search.form.addEventListener("submit", (event) => { event.preventDefault(); search.blur(); });
  }
  for (const chosen of isWhole ? filters : []) {
    chosen.addEventListener("click", (event) => {
      event.preventDefault();
      shown = chosen.dataset.show;
      for (const each of filters) each.ariaCurrent = each === chosen ? "true" : null;
      filter();
    });
  }

  // Showing: a line keeps its place, though it may no longer be what is searched for, until the next search
  function mark(line, status) {
    if (line.dataset.status === status) return;
    line.dataset.status = status;
    const [undo, ...marks] = [...line.querySelectorAll("button")].reverse();
    for (const each of marks) each.ariaPressed = String(each.value.endsWith(`.${status}`));
    undo.disabled = status === "expected";
    const away = marks.find((each) => each.ariaPressed === "true" && each.closest("details"));
    line.querySelector("summary").textContent = away?.textContent ?? form.dataset.other;
    if (away && !line.querySelector("a") && !substitutes.has(line.id.slice(1))) {
      const link = substitute.content.firstElementChild.cloneNode(true);
      link.href = `${line.id.slice(1)}/substitute/`;
      line.firstElementChild.append(link);
    }
  }
  function countOf(statuses) {
    const counts = {};
    for (const each of statuses) counts[each] = (counts[each] ?? 0) + 1;
    return counts;
  }
  function countHere() {
    return countOf([...lines].map(([number, { dataset }]) => kindOf(number, dataset.status)));
  }
  function count() {
    const here = countHere();
    rest.hidden = rest.disabled || !here.expected; // disabled if the event is closed
    const counts = { ...elsewhere };
    for (const status in here) counts[status] = (counts[status] ?? 0) + here[status];
    for (const each of filters) if (each.dataset.show) each.lastElementChild.textContent = counts[each.dataset.show] ?? 0;
  }
  function show(told) {
    if (told.version < version) return; // never backwards
    version = told.version;
    const numbers = Object.keys(told.statuses);
    for (const number of numbers) {
      const line = lines.get(number);
      if (line && !waiting.has(number)) mark(line, told.statuses[number]);
    }
    stale.hidden = numbers.length === Number(form.dataset.players) && [...lines.keys()].every((number) => number in told.statuses);
    elsewhere = countOf(numbers.filter((number) => !lines.has(number)).map((number) => kindOf(number, told.statuses[number])));
    count();
    showSeats(told);
    if (places.innerHTML !== told.places) places.innerHTML = told.places;
  }
  function showSeats(told) {
    for (const kind of seats.querySelectorAll("[data-seats]")) {
      const numbers = told.seats[kind.dataset.seats];
      kind.hidden = !numbers.length;
      kind.lastElementChild.textContent = numbers.map((number) => `${number} ${told.names[number]}`).join(" · ");
    }
    seats.hidden = [...seats.querySelectorAll("[data-seats]")].every((kind) => kind.hidden);
  }

  // Sending: one tap after the other; of several at one player only the last
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const [number, , wanted] = event.submitter.value.split(".");
    want(number, wanted);
    send();
    fold(event.submitter.closest("details"));
  });
  rest.addEventListener("click", () => {
    for (const [number, { dataset }] of lines) if (dataset.status === "expected") want(number, "present");
    send();
  });
  function fold(more) {
    if (!more?.open) return;
    more.open = false;
    more.firstElementChild.focus();
  }
  function want(number, wanted) {
    const line = lines.get(number);
    if (line.dataset.status === wanted) return;
    waiting.set(number, { seen: waiting.get(number)?.seen ?? line.dataset.status, wanted });
    line.ariaBusy = "true";
    refused.hidden = true;
    mark(line, wanted);
    count();
  }
  // The server's document, with `refused` if it refused the mark; null if it is to be sent again
  async function post(number, { seen, wanted }) {
    const body = new URLSearchParams({ csrfmiddlewaretoken: form.elements.csrfmiddlewaretoken.value, mark: `${number}.${seen}.${wanted}` });
    const options = { method: "POST", body, headers: { Accept: "application/json" }, redirect: "error", keepalive: true, signal: AbortSignal.timeout(10000) };
    try {
      const response = await fetch(location.pathname, options);
      if ([401, 403, 404].includes(response.status)) return { refused: form.dataset.gone };
      const told = await response.json();
      return told.statuses ? told : null;
    } catch {
      return null;
    }
  }
  async function send() {
    if (isSending) return;
    isSending = true;
    clearTimeout(retrying);
    while (waiting.size) {
      const [number, item] = waiting.entries().next().value;
      const told = await post(number, item);
      if (!told) {
        retrying = setTimeout(send, INTERVAL);
        break;
      }
      settle(number, item, told);
    }
    isSending = false;
    if (following) follow();
    unsent.hidden = !waiting.size;
    unsent.querySelector("b").textContent = waiting.size;
  }
  // Pages that read the roll call are opened once it is stored
  let following = null; // the button of a form that waits for it
  document.addEventListener("submit", (event) => {
    if (event.target === form || event.target === search.form || !waiting.size) return;
    event.preventDefault();
    following = event.submitter;
    send();
  });
  function follow() {
    const button = following;
    following = null;
    if (!waiting.size) button.form.requestSubmit(button);
  }
  function settle(number, item, told) {
    const line = lines.get(number);
    const next = waiting.get(number);
    if (told.refused || next === item) {
      waiting.delete(number);
      line.ariaBusy = null;
    } else {
      next.seen = item.wanted; // tapped again meanwhile
    }
    if (told.refused) {
      refused.textContent = told.refused;
      refused.hidden = false;
      mark(line, item.seen);
      count();
    }
    if (told.statuses) show(told);
  }

  async function poll() {
    clearTimeout(polling);
    if (!document.hidden) {
      try {
        const headers = etag ? { "If-None-Match": etag } : {};
        const response = await fetch(form.dataset.marks, { headers, cache: "no-store", signal: AbortSignal.timeout(10000) });
        if (response.status !== 304) {
          if (!response.ok) throw new Error(String(response.status));
          show(await response.json());
          etag = waiting.size ? "" : (response.headers.get("ETag") ?? ""); // what waits was not shown: ask for it again
        }
        lost.hidden = true;
      } catch {
        lost.hidden = false;
      }
    }
    clearTimeout(polling);
    polling = setTimeout(poll, INTERVAL);
  }

  document.addEventListener("visibilitychange", () => { if (!document.hidden) poll(); });
  window.addEventListener("online", () => { send(); poll(); });
  // Whoever leaves leaves at once: what waits is sent together. A mark that is under way is stored once.
  window.addEventListener("pagehide", () => { for (const [number, item] of waiting) post(number, item); });
  window.addEventListener("beforeunload", (event) => { if (waiting.size) event.preventDefault(); });
  const here = countHere();
  for (const { dataset, lastElementChild } of filters) if (dataset.show) elsewhere[dataset.show] = Number(lastElementChild.textContent) - (here[dataset.show] ?? 0);
  count();
  polling = setTimeout(poll, INTERVAL);
})();
