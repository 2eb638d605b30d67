// Counts down the clocks of a page: elements with data-clock, the address of a session's clock. The address is asked now and then;
// between, and without the network, the page goes on counting by the server's time.
(() => {
  const INTERVAL = 15000; // ms between two requests
  const TICK = 250;
  const LOOK_AGAIN = 30000; // ms after which the wall looks whether another session has begun
  const opened = Date.now();
  const STORED = "makiyaku-clock ";
  const clocks = new Map(); // by address: the last answer, and the ms from this browser's clock to the server's

  const isWall = document.body.classList.contains("is-clock");
  const boxes = () => [...document.querySelectorAll("[data-clock]")];
  const isShown = (answered) => Boolean(answered) && !["none", "ended"].includes(answered.clock.state);

  // What was answered last, for a page that opens without the network.
  function recall(address) {
    try { return JSON.parse(localStorage.getItem(STORED + address)); } catch { return null; }
  }

  function keep(address, answered) {
    clocks.set(address, answered);
    try { localStorage.setItem(STORED + address, JSON.stringify(answered)); } catch { /* it goes on without */ }
  }

  async function ask(address) {
    const sent = Date.now();
    try {
      const options = { headers: { Accept: "application/json" }, cache: "no-store", signal: AbortSignal.timeout(10000) };
      const answer = await fetch(address, options);
      if (!answer.ok) return;
      const clock = await answer.json();
      keep(address, { clock, ahead: Date.parse(clock.now) - (sent + Date.now()) / 2 });
      if (isWall && !isShown(clocks.get(address)) && Date.now() - opened > LOOK_AGAIN) location.reload();
    } catch {
      if (!clocks.has(address)) clocks.set(address, recall(address));
    }
  }

  // Seconds left for one table, or for all without a table.
  function secondsLeft({ clock, ahead }, table) {
    const extra = clock.extra[table] ?? 0;
    if (clock.state !== "running") return clock.left + extra;
    return (Date.parse(clock.ends_at) - Date.now() - ahead) / 1000 + extra;
  }

  const two = (number) => String(number).padStart(2, "0");

  function digits(seconds) {
    const whole = Math.max(0, Math.ceil(seconds));
    const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
    return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}`;
  }

  function stateOf({ clock }, left) {
    if (clock.state !== "running") return clock.state;
    if (left <= 0) return "over";
    return clock.last_round && left <= clock.last_round ? "last" : "running";
  }

  function write(element, words) {
    if (element && element.textContent !== words) element.textContent = words;
  }

  // Tables with other time than the rest, such as “Table 3 +2”.
  function others(box, { clock }) {
    const words = box.dataset.other;
    if (!words || box.dataset.table) return "";
    const told = Object.entries(clock.extra).map(([table, seconds]) => [Number(table), seconds]).sort(([a], [b]) => a - b);
    return told.map(([table, seconds]) => words.replace("{table}", table).replace("{minutes}", `${seconds > 0 ? "+" : "−"}${digits(Math.abs(seconds))}`)).join(" · ");
  }

  function draw() {
    for (const box of boxes()) {
      const answered = clocks.get(box.dataset.clock);
      box.hidden = !isShown(answered);
      if (box.hidden) continue;
      const left = secondsLeft(answered, box.dataset.table);
      const state = stateOf(answered, left);
      if (box.dataset.state !== state) box.dataset.state = state;
      write(box.querySelector(".clock-digits"), digits(left));
      write(box.querySelector(".clock-words"), box.dataset[`words${state[0].toUpperCase()}${state.slice(1)}`] ?? "");
      write(box.querySelector(".clock-others"), others(box, answered));
    }
  }

  async function refresh() {
    if (!document.hidden) await Promise.all([...new Set(boxes().map((box) => box.dataset.clock))].map(ask));
    draw();
  }

  if (!boxes().length) return;
  refresh();
  setInterval(refresh, INTERVAL);
  setInterval(draw, TICK);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
  window.addEventListener("online", refresh);
})();
