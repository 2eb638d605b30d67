// The seating board (席割りボード): takes the place of the field of the tables, and sends its own seats with the form. Each move is stored
// with the proposal under the digest that was shown, so that reload, Back and other helpers find it. Names are dragged, or picked and put.
(() => {
  const root = document.getElementById("seating-board");
  if (!root) return;
  const INTERVAL = 5000; // between two questions for new marks of the roll call
  const FAR = 6; // pixels, from which on a pointer drags
  const EDGE = 70; // pixels from the top and bottom of the window within which dragging scrolls
  const AWAY = new Set(["late", "absent", "withdrawn"]);
  const form = root.closest("form");
  const typed = form.elements.tables;
  const { players, texts, substitutes, groups, history, met, sizes, statuses, words } = JSON.parse(document.getElementById("board-facts").textContent);
  for (const [key, [name, reading, ...numbers]] of Object.entries(players)) players[key] = [name, reading, ...numbers.map((number) => texts[number])];
  const [list, bench, summary, told, undo, find, stale, refused] = ["tables", "bench", "summary", "told", "undo", "find", "stale", "refused"].map((name) => document.getElementById(`board-${name}`));
  const say = (name, values) => words[name].replace(/\{(\w+)\}/g, (_, key) => values[key]);

  // Each earlier session has a letter for each player, by number: the same for all of a table, a space for those without one
  const places = new Map(Object.keys(players).map((key, place) => [key, place]));
  const tablesOf = (key) => history.map((letters) => letters[places.get(key)]);
  const metBesides = new Set(met.flatMap(([one, other]) => [`${one} ${other}`, `${other} ${one}`])); // before one of the two left a table
  const haveMet = (one, other) => {
    const theirs = tablesOf(other);
    return one !== other && (metBesides.has(`${one} ${other}`)
      || tablesOf(one).some((letter, session) => letter !== " " && letter === theirs[session]));
  };

  // Substitutes compete for no place: they miss no session, and are counted neither as away nor as sitting out
  const isSubstitute = (key) => substitutes.includes(key);
  const isSpare = (key) => isSubstitute(key) && AWAY.has(players[key][3]);
  const rested = (key) => isSubstitute(key) ? 0 : tablesOf(key).filter((letter) => letter === " ").length;

  // The seats: `seats[0]` are those without one, `seats[n]` table n in seat order
  let seats = read(typed.value);
  if (!seats) return; // typed words, or mistakes to be corrected where they stand
  const found = seats.map(() => ({ repeats: 0, clubmates: 0 }));
  const rows = new Map(Object.keys(players).map((key) => [key, rowOf(key)]));
  const cards = [{ row: bench.closest(".board-table"), places: bench, count: bench.closest(".board-table").querySelector(".board-count") }];
  const past = []; // what `seats` was before each move
  let picked = "";
  let version = 0;

  function read(tables) {
    const lines = tables.split("\n").map((line) => line.trim().split(/\s+/).filter(Boolean)).filter((line) => line.length);
    const seated = lines.flat();
    if (!seated.length || !seated.every((key) => key in players) || new Set(seated).size < seated.length) return null;
    const has = new Set(seated);
    return [Object.keys(players).filter((key) => !has.has(key)), ...lines];
  }
  const written = () => seats.slice(1).filter((table) => table.length).map((table) => table.join(" ")).join("\n");
  form.addEventListener("formdata", ({ formData }) => {
    formData.set("tables", written());
    if (digest) formData.set("digest", digest);
    if (form.elements.out) formData.set("out", seats[0].join(" "));
  });

  // Each move is stored; one request at a time, the last one with all moves
  let digest = root.dataset.digest; // without one there is nothing to store: the form stores all
  let stored = written();
  let sent = stored;
  let isSaving = false;
  let waiting = null; // the button of a form that waits until the last move is stored

  const loadedOut = [...seats[0]].sort().join(" ");

  // A page that is opened before the server has the last move, or after it could not be reached, shows the move all the same
  const UNSENT = `seats ${location.pathname}`;
  const { tabStorage } = makiyaku;
  function keep() {
    if (written() === stored) tabStorage.remove(UNSENT);
    else tabStorage.set(UNSENT, JSON.stringify({ onto: [stored, sent], tables: written() }));
  }
  const unsent = digest ? JSON.parse(tabStorage.get(UNSENT) || "null") : null;
  if (unsent?.onto.includes(stored)) seats = read(unsent.tables) ?? seats;

  async function save({ seesAll = false } = {}) {
    if (!digest) return;
    keep();
    if (isSaving) return;
    isSaving = true;
    sent = written();
    try {
      const body = new FormData(form);
      body.set("save", "1");
      const response = await fetch(location.pathname, { method: "POST", body, keepalive: true, signal: AbortSignal.timeout(10000) });
      refused.hidden = response.ok;
      if (response.ok) {
        const [now, all] = [digest, (await response.json()).digest];
        digest = seesAll ? all : `${all.split("-")[0]}-${now.split("-")[1]}`;
        stored = sent;
        keep();
      }
    } catch {
      refused.hidden = false;
    }
    isSaving = false;
    if (refused.hidden && written() !== stored) await save();
    if (waiting) form.requestSubmit(waiting);
  }
  form.addEventListener("submit", (event) => {
    waiting = isSaving ? event.submitter : null;
    if (isSaving) event.preventDefault();
  });
  window.addEventListener("pageshow", (event) => { if (event.persisted && digest) location.reload(); });
  const sittingOut = document.getElementById("sitting-out");
  const tableOf = (key) => seats.findIndex((table) => table.includes(key));
  const nameOf = (key) => `${key} ${players[key][0]}`;
  const placeOf = (table) => (table ? say("table", { number: table }) : words.bench);

  // Showing
  function make(tag, name, text = "") {
    const made = document.createElement(tag);
    if (name) made.className = name;
    made.textContent = text;
    return made;
  }
  function rowOf(key) {
    const [name, , club, , division] = players[key];
    const row = make("li", "board-row");
    row.dataset.key = key;
    const grip = make("span", "board-grip", "⠿");
    grip.ariaHidden = "true";
    const button = make("button", "board-player");
    button.type = "button";
    button.tabIndex = -1;
    button.ariaPressed = "false";
    button.append(make("b", "board-seat"), make("span", "board-number", say("number", { number: key })), make("bdi", "", name), make("small", "board-status"), make("small", "board-club", [club, division].filter(Boolean).join(" · ")), make("small", "board-mark"), make("small", "board-rested", rested(key) ? say("rested", { times: rested(key) }) : ""));
    row.append(grip, button);
    return row;
  }
  function addCard(number) {
    const row = make("li", "board-table");
    const head = make("h3", "", placeOf(number));
    const count = make("span", "board-count");
    head.append(" ", count);
    const places = make("ol");
    const here = make("button", "button board-here", words.here);
    here.type = "button";
    row.append(head, places, here);
    list.append(row);
    cards[number] = { row, places, count };
    found[number] ??= { repeats: 0, clubmates: 0 };
  }
  function paint(number) {
    const { row, places, count } = cards[number];
    const table = seats[number];
    const focused = document.activeElement;
    const wanted = table.map((key) => rows.get(key));
    if (wanted.length !== places.children.length || wanted.some((each, i) => each !== places.children[i])) places.replaceChildren(...wanted);
    if (focused !== document.activeElement && wanted.some((each) => each.contains(focused))) focused.focus({ preventScroll: true });
    const sums = { repeats: 0, clubmates: 0 };
    for (const [i, key] of table.entries()) {
      const again = number ? table.filter((other) => haveMet(key, other)) : [];
      const club = players[key][2];
      const mates = number && club ? table.filter((other) => other !== key && players[other][2] === club) : [];
      sums.repeats += again.length / 2;
      sums.clubmates += mates.length / 2;
      const [, button] = rows.get(key).children;
      const [seat, , , status, , mark] = button.children;
      seat.textContent = number ? i + 1 : "";
      status.textContent = isSpare(key) && !number ? words.substitute : players[key][3] === "expected" ? "" : statuses[players[key][3]];
      const marks = [again.length && say("met", { numbers: again.join("・") }), mates.length && say("mates", { numbers: mates.join("・") })];
      mark.textContent = marks.filter(Boolean).join(" ");
      button.classList.toggle("is-marked", again.length + mates.length > 0);
      button.classList.toggle("is-misplaced", number > 0 && AWAY.has(players[key][3]));
    }
    found[number] = sums;
    const isWrong = number > 0 && table.length > 0 && !sizes.includes(table.length);
    row.classList.toggle("is-wrong", isWrong);
    const size = number ? table.length : table.filter((key) => !isSpare(key)).length;
    const counted = say(size === 1 ? "one" : "count", { count: size });
    count.textContent = isWrong ? say("wrong", { players: counted, sizes: sizes.join(" / ") }) : counted;
  }
  function sum() {
    const playing = seats.slice(1).filter((table) => table.length);
    const wrong = seats.flatMap((table, number) => (number && table.length && !sizes.includes(table.length) ? [placeOf(number)] : []));
    const total = (name) => found.reduce((so, each) => so + each[name], 0);
    const out = seats[0].filter((key) => !isSpare(key));
    const away = out.map((key) => players[key][3]).filter((status) => AWAY.has(status));
    const parts = [say("seated", { tables: playing.length, players: playing.flat().length, out: out.length - away.length }), ...[...new Set(away)].map((status) => `${statuses[status]} ${away.filter((each) => each === status).length}`), say("repeats", { pairs: total("repeats") }), say("clubmates", { pairs: total("clubmates") })];
    const mixed = seats.flatMap((table, number) => (number && new Set(table.map((key) => groups[key]).filter(Boolean)).size > 1 ? [placeOf(number)] : []));
    if (mixed.length) parts.push(`⚠ ${say("mixed", { tables: mixed.join(" ") })}`);
    if (wrong.length) parts.push(`⚠ ${say("sizes", { tables: wrong.join(" "), sizes: sizes.join(" / ") })}`);
    summary.textContent = parts.join(" · ");
    if (sittingOut) sittingOut.hidden = [...seats[0]].sort().join(" ") !== loadedOut; // it tells who sat out when the page was loaded
    undo.disabled = !past.length;
  }
  function reach(key) { // one name is in the order of the keyboard, the arrows lead to the others
    for (const each of root.querySelectorAll(".board-player[tabindex='0']")) each.tabIndex = -1;
    rows.get(key).children[1].tabIndex = 0;
  }

  // Moving
  function change(changed, words) {
    past.push(seats);
    seats = changed;
    show(past.at(-1));
    told.textContent = words;
  }
  function show(before) {
    for (const [number, table] of seats.entries()) {
      if (!cards[number]) addCard(number);
      if (table !== before[number]) paint(number);
    }
    while (cards.length > seats.length) {
      cards.pop().row.remove();
      found.pop();
    }
    sum();
    save();
  }
  function swap(one, other) {
    const [first, second] = [tableOf(one), tableOf(other)];
    const exchanged = (key) => ({ [one]: other, [other]: one })[key] ?? key;
    change(seats.map((table, number) => (number === first || number === second ? table.map(exchanged) : table)), say("swapped", { one: nameOf(one), other: nameOf(other) }));
  }
  function put(key, number) {
    const from = tableOf(key);
    if (from === number) return;
    const moved = seats.map((table, i) => {
      if (i === from) return table.filter((each) => each !== key);
      return i === number ? [...table, key] : table;
    });
    change(moved, say("moved", { name: nameOf(key), place: placeOf(number) }));
  }
  function pick(key) {
    if (picked) rows.get(picked).children[1].ariaPressed = "false";
    picked = key;
    root.classList.toggle("is-picking", key !== "");
    if (!key) return;
    rows.get(key).children[1].ariaPressed = "true";
    reach(key);
    told.textContent = say("picked", { name: nameOf(key) });
  }
  function takeBack() {
    if (!past.length) return;
    const before = seats;
    seats = past.pop();
    show(before);
    told.textContent = words.undone;
  }

  // Tapping, and the keyboard
  let isDropped = false; // the click that follows a drop is none
  root.addEventListener("click", (event) => {
    if (isDropped) return;
    const key = event.target.closest(".board-player")?.parentElement.dataset.key;
    const here = event.target.closest(".board-here");
    if (key) {
      if (!picked || picked === key) {
        pick(picked ? "" : key);
      } else {
        swap(picked, key);
        pick("");
      }
    } else if (here && picked) {
      put(picked, cards.findIndex(({ row }) => row.contains(here)));
      rows.get(picked).children[1].focus();
      pick("");
    }
  });
  undo.addEventListener("click", takeBack);
  document.getElementById("board-add").addEventListener("click", () => change([...seats, []], placeOf(seats.length)));
  const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
  root.addEventListener("keydown", (event) => {
    if (event.key === "Escape") pick("");
    if (event.key === "z" && (event.ctrlKey || event.metaKey) && event.target !== find) {
      event.preventDefault();
      takeBack();
    }
    const key = event.target.closest(".board-player")?.parentElement.dataset.key;
    const step = STEPS[event.key];
    if (!key || !step) return;
    event.preventDefault();
    const [table, seat] = [tableOf(key), seats[tableOf(key)].indexOf(key)];
    const order = [...seats.keys()].filter((number) => seats[number].length);
    const next = seats[order[order.indexOf(table) + step[0]]] ?? seats[table];
    const there = next[Math.min(seat + step[1], next.length - 1)] ?? key;
    reach(there);
    rows.get(there).children[1].focus();
  });
  const { key: fold } = new makiyaku.PlayerSearch(root.dataset.folds);
  function matches() {
    const wanted = fold(find.value);
    if (!wanted) return [];
    const isNumber = /^\d+$/.test(wanted);
    return Object.keys(players).filter((key) => (isNumber ? key === wanted : fold(players[key][0] + players[key][1]).includes(wanted)));
  }
  find.addEventListener("input", () => {
    const keys = matches();
    for (const [key, row] of rows) row.classList.toggle("is-found", keys.includes(key));
    if (keys.length) rows.get(keys[0]).scrollIntoView({ block: "center" });
  });
  find.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const [key] = matches();
    if (!key) return;
    pick(key);
    rows.get(key).children[1].focus();
  });

  // Dragging: with a mouse a name anywhere, with a finger its grip, so that the rest of the page scrolls
  let drag = null;
  root.addEventListener("dragstart", (event) => event.preventDefault()); // of selected text, which would take the pointer away
  root.addEventListener("pointerdown", (event) => {
    const row = event.target.closest(".board-row");
    isDropped = false;
    if (drag || event.button || !row || (event.pointerType !== "mouse" && !event.target.closest(".board-grip"))) return;
    drag = { key: row.dataset.key, pointer: event.pointerId, x: event.clientX, y: event.clientY, over: null, ghost: null, scroll: 0 };
  });
  window.addEventListener("pointermove", (event) => {
    if (event.pointerId !== drag?.pointer) return;
    if (!drag.ghost) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
      lift();
    }
    [drag.x, drag.y] = [event.clientX, event.clientY];
    follow();
  });
  window.addEventListener("pointerup", (event) => { if (event.pointerId === drag?.pointer) drop(); });
  window.addEventListener("pointercancel", (event) => { if (event.pointerId === drag?.pointer) lay(); });
  window.addEventListener("keydown", (event) => { if (event.key === "Escape" && drag) lay(); });
  function lift() {
    drag.ghost = make("div", "board-ghost", nameOf(drag.key));
    document.body.append(drag.ghost);
    rows.get(drag.key).classList.add("is-lifted");
    pick("");
    requestAnimationFrame(glide);
  }
  function follow() {
    drag.ghost.style.transform = `translate(${drag.x + 8}px, ${drag.y - 20}px)`;
    const over = document.elementFromPoint(drag.x, drag.y)?.closest(".board-row, .board-table");
    if (over !== drag.over) {
      drag.over?.classList.remove("is-over");
      over?.classList.add("is-over");
      drag.over = over;
    }
    drag.scroll = drag.y < EDGE ? drag.y - EDGE : Math.max(drag.y - innerHeight + EDGE, 0);
  }
  function glide() {
    if (!drag?.ghost) return;
    if (drag.scroll) {
      window.scrollBy(0, drag.scroll / 4);
      follow();
    }
    requestAnimationFrame(glide);
  }
  function lay() {
    drag.over?.classList.remove("is-over");
    if (drag.ghost) rows.get(drag.key).classList.remove("is-lifted");
    drag.ghost?.remove();
    drag = null;
  }
  function drop() {
    const { key, over, ghost } = drag;
    lay();
    if (!ghost) return;
    isDropped = true;
    setTimeout(() => { isDropped = false; });
    const other = over?.dataset.key;
    if (other && other !== key) swap(key, other);
    else if (over && !other) put(key, cards.findIndex(({ row }) => row === over));
  }

  // The roll call, as it goes on meanwhile
  async function poll() {
    try {
      const response = await fetch(root.dataset.marks, { cache: "no-store", signal: AbortSignal.timeout(10000) });
      if (response.ok) mark(await response.json());
    } catch { /* asked again */ }
    setTimeout(poll, INTERVAL);
  }
  function mark(marks) {
    if (marks.version <= version) return;
    version = marks.version;
    const changed = Object.keys(players).filter((key) => marks.statuses[key] && marks.statuses[key] !== players[key][3]);
    for (const key of changed) players[key][3] = marks.statuses[key];
    for (const number of new Set(changed.map(tableOf))) paint(number);
    const items = changed.filter((key) => (tableOf(key) ? AWAY.has(players[key][3]) : players[key][3] === "present"));
    if (!items.length) return;
    for (const key of items) stale.querySelector("ul").append(make("li", "", `${nameOf(key)}: ${statuses[players[key][3]]}`));
    stale.hidden = false;
  }
  document.getElementById("board-keep").addEventListener("click", () => {
    save({ seesAll: true });
    stale.hidden = true;
    stale.querySelector("ul").replaceChildren();
  });

  for (const number of seats.keys()) {
    if (number) addCard(number);
    paint(number);
  }
  reach(seats.find((table, number) => number && table.length)[0]);
  sum();
  if (written() === stored) keep();
  else save();
  document.getElementById("proposed")?.remove();
  document.getElementById("by-hand").remove();
  root.hidden = false;
  if (root.dataset.marks) setTimeout(poll, INTERVAL);
})();
