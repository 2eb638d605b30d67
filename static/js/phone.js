// The phone at the table: takes down round after round, with or without the network. What the server said last and
// what is still in the out-box together are the table as it stands here.
(() => {
  const block = document.getElementById("table");
  if (!block) return;
  const table = JSON.parse(block.textContent);
  const { words, players } = table;
  const playbook = new makiyaku.Playbook(table.playbook);
  const form = document.querySelector("form[data-at-table]");
  const by = (id) => document.getElementById(id);
  const say = (key, values = {}) => makiyaku.fill(words[key], values);
  const SIGNS = { clubs: "♣", diamonds: "♦", hearts: "♥", spades: "♠", C: "♣", D: "♦", H: "♥", S: "♠" };
  const PANELS = ["form", "pass", "check", "end"];
  const LOOK = 10000; // ms between two looks at how the table stands, where another phone may change it

  let now = table.now; // what the server said last
  let items = []; // the out-box
  let typing = null; // the round on the form: {number, seen, facts, isCorrection}
  let panel = "form";
  let isSaving = false;
  let isWanted = false; // saving once more was asked for meanwhile
  let isReady = false;

  // ---- The server's addresses: the only place that knows them

  const addresses = {
    table: () => table.api,
    round: (number) => ["PUT", `${table.api}/rounds/${number}`],
    accept: (number) => ["POST", `${table.api}/rounds/${number}/accept`],
    call: () => ["POST", `${table.api}/calls`],
    takeOver: () => `${table.api}/take-over`,
  };

  function request(kind, number, seen, body, label) {
    const [method, address] = addresses[kind](number);
    return { table: table.key, kind, number, seen, method, address, body, label };
  }

  // ---- The table as it stands here

  const isComplete = (facts) => playbook.kind !== "kankei" || playbook.round(facts.deals, facts.cut_off).isOver;
  const mine = (kind) => items.filter((item) => item.table === table.key && item.kind === kind);

  function rounds() {
    const found = now.rounds.map((each) => ({ ...each }));
    for (const item of mine("round")) {
      const before = found[item.number - 1];
      if (item.seen < (before?.version ?? 0) || item.number > found.length + 1) continue;
      const { facts } = item.body;
      found[item.number - 1] = { number: item.number, version: item.seen + 1, facts, complete: isComplete(facts), accepted: false, points: null, ...(item.state === "sent" ? item.answer : {}), item };
    }
    for (const item of mine("accept")) {
      const round = found[item.number - 1];
      if (round?.version === item.seen && item.state !== "marked") round.accepting = item;
      if (round?.version === item.seen && item.state === "sent") round.accepted = true;
    }
    return found;
  }

  function next(all = rounds()) {
    const last = all.at(-1);
    if (last && !last.complete) return { number: last.number, seen: last.version, facts: last.facts };
    return { number: all.length + 1, seen: 0, facts: null };
  }

  function isFinished(all = rounds()) {
    if (table.planned && all.length >= table.planned) return all.at(-1).complete;
    return now.next.finished && all.length === now.rounds.length;
  }

  const tournament = now.tournament;
  const isWriter = () => now.you.is_writer !== false && !mine("round").some((item) => item.state === "marked" && item.code === "taken_over");
  const mayCorrect = () => now.you.may_correct || tournament.accepting !== "off";

  // The round this phone is asked to accept, if any.
  function toAccept() {
    const last = rounds().filter((each) => each.complete).at(-1);
    if (!last || last.accepted || last.accepting) return null;
    if (tournament.accepting === "same" && isWriter() && now.you.phone) return last;
    if (tournament.accepting === "second" && !isWriter()) return last;
    return null;
  }

  // ---- In words

  const name = (player) => words.names[player] ?? player;
  const cardName = (card) => `${SIGNS[card[0]]}${card.slice(1)}`;
  const title = (number) => say("round", { number });

  // A round's facts as pairs of what and which.
  function told(facts) {
    const pairs = [];
    if (facts.dealer) pairs.push([words.dealer, name(facts.dealer)]);
    if (facts.kankei) pairs.push([words.kankei, facts.kankei.map(name).join(" · ")]);
    (facts.deals ?? []).forEach((deal, i) => {
      const parts = [`${deal.kankei}–${deal.mukankei}`];
      if (deal.declaration) parts.push(words.declarations[deal.declaration]);
      const trump = deal.trump ?? (i ? null : facts.trump);
      if (trump) parts.push(SIGNS[trump]);
      pairs.push([say("deal", { number: i + 1 }), parts.join(" ")]);
    });
    if (facts.cut_off) pairs.push(["", words.cut_off]);
    for (const [player, cards] of Object.entries(facts.captured ?? {})) pairs.push([name(player), cards.map(cardName).join(" ")]);
    if (facts.exposed?.length) pairs.push([words.exposed, facts.exposed.map(cardName).join(" ")]);
    (facts.finish ?? []).forEach((player, i) => pairs.push([String(i + 1), name(player)]));
    return pairs;
  }

  function pointsOf(round) {
    if (playbook.kind === "kankei") return playbook.points(round.facts, players);
    if (round.points) return round.points;
    if (!playbook.finishes) return {};
    const second = round.facts.teams?.[1] ?? players.filter((_, i) => i % 2);
    const { teams } = playbook.finishes[round.facts.finish.map((player) => (second.includes(player) ? "2" : "1")).join("")];
    return Object.fromEntries(players.map((player) => [player, teams[Number(second.includes(player))]]));
  }

  function stateOf(item, isAccepted) {
    if (isAccepted) return [words.accepted, "is-sent"];
    if (!item || item.state === "sent") return [words.sent, "is-sent"];
    if (item.state === "marked") return [words.refused, "is-marked"];
    return [words.sending, "is-waiting"];
  }

  // ---- Showing

  function list(box, pairs) {
    box.replaceChildren(...pairs.map(([term, words]) => {
      const row = document.createElement("div");
      row.append(document.createElement("dt"), document.createElement("dd"));
      row.firstChild.textContent = term;
      row.lastChild.textContent = words;
      return row;
    }));
  }

  const listPoints = (box, round) => list(box, Object.entries(pointsOf(round)).map(([player, points]) => [name(player), makiyaku.signed(points)]));

  function announce(sentence) { by("announce").textContent = sentence; }

  function show(which, isMoved = false) {
    panel = which;
    PANELS.forEach((each) => { by(`panel-${each}`).hidden = each !== which; });
    const all = rounds();
    const last = all.filter((each) => each.complete).at(-1);
    if (which === "pass" && last) showPass(all, last);
    if (which === "check") showCheck(toAccept() ?? last);
    if (which === "end" && last) by("end-state").textContent = stateOf(last.item, last.accepted)[0];
    if (isMoved && which !== "form") {
      by(`panel-${which}`).focus({ preventScroll: true });
      window.scrollTo(0, 0);
    }
  }

  function showPass(all, last) {
    const facts = all.filter((each) => each.complete).map((each) => each.facts);
    const state = playbook.kind === "kankei" ? playbook.stateAfter(facts, players) : null;
    by("pass-title").textContent = state?.dealer ? say("pass_to", { name: name(state.dealer) }) : title(last.number);
    const [sentence, look] = stateOf(last.item, last.accepted);
    by("pass-state").textContent = `${title(last.number)}: ${sentence}`;
    by("pass-state").className = `panel-state ${look}`;
    listPoints(by("pass-points"), last);
    const advice = [];
    if (state) {
      const trump = words.suits[state.trump];
      advice.push(`${title(all.length + 1)}: ${SIGNS[state.trump]} ${say("trump_next", { trump })}`);
    }
    by("pass-advice").replaceChildren(...advice.map((sentence) => Object.assign(document.createElement("li"), { textContent: sentence })));
    by("panel-pass").querySelector("[data-do=take-phone]").textContent = state?.dealer ? words.have_phone : title(all.length + 1);
  }

  function showCheck(round) {
    if (!round) return;
    by("check-title").textContent = say("is_it_right", { round: title(round.number) });
    list(by("check-facts"), told(round.facts));
    listPoints(by("check-points"), round);
    by("panel-check").querySelector("[data-do=correct]").hidden = !mayCorrect() || !isWriter();
  }

  const draftKey = (round) => `${table.key}/${round.number}/${round.seen}`;

  // Put a round on the form: what is recorded of it, who sits where, what was typed of it before.
  async function showRound(round) {
    typing = round;
    const before = rounds().slice(0, round.number - 1).map((each) => each.facts);
    let values = {};
    if (playbook.kind === "kankei") {
      const state = playbook.stateAfter(before, players);
      taker.seats = state.seats;
      values = { dealer: state.dealer ?? state.seats[0], trump: state.trump };
      taker.hasParted = (round.facts?.deals?.length ?? 0) >= playbook.parted_before;
      const ring = form.querySelector(".ring");
      const middle = ring.querySelector(".ring-centre");
      const { seats } = round.facts ? playbook.stateAfter([...before, round.facts], players) : state;
      seats.forEach((player) => middle.before(ring.querySelector(`input[value="${CSS.escape(player)}"]`).closest(".seat")));
      form.querySelector(".who-deals").open = !state.dealer; // known, but not the first of all
      const number = middle.querySelector(":scope > span:not(.playing-card)");
      if (number) number.textContent = title(round.number);
    } else {
      players.forEach((player, i) => { values[`team_${player}`] = String((i % 2) + 1); });
    }
    by("round-title").textContent = title(round.number);
    by("reason-field").hidden = !round.isCorrection;
    form.action = `${table.rounds}${round.number}/`;
    form.dataset.preview = `${table.rounds}${round.number}/preview/`;
    form.elements.seen.value = round.seen;
    by("save-problem").hidden = true;
    taker.fill({ ...values, ...(round.facts ? makiyaku.RoundForm.values(round.facts) : {}) });
    by("reason").value = "";
    const touchesBefore = touches;
    const draft = isReady ? await outbox.draft(draftKey(round)).catch(() => null) : null;
    if (!draft || typing !== round || touches !== touchesBefore) return; // what is typed meanwhile stays
    taker.fill(draft);
    by("reason").value = draft.reason ?? "";
  }

  function showQueue() {
    const unsent = items.filter((item) => item.state !== "sent");
    const last = rounds().at(-1);
    const box = by("queue");
    box.classList.toggle("is-waiting", unsent.length > 0);
    box.classList.toggle("is-marked", unsent.some((item) => item.state === "marked"));
    by("queue-words").textContent = unsent.length ? say("unsent", { number: unsent.length })
      : last ? stateOf(last.item, last.accepted)[0] : words.nothing_unsent;
    by("queue-items").replaceChildren(...unsent.map(queueItem));
    by("queue-text").value = unsent.map(asText).join("\n\n");
    const marked = unsent.find((item) => item.state === "marked" && item.code !== "taken_over");
    by("trouble").hidden = !marked;
    if (marked) by("trouble").querySelector("p").textContent = `${marked.label}: ${marked.words || words.refused}`;
    by("other-phone").hidden = isWriter();
    document.querySelectorAll("[data-do=ask-correction]").forEach((button) => { button.disabled = !rounds().some((each) => each.complete); });
  }

  function queueItem(item) {
    const box = by("queue-item").content.cloneNode(true);
    box.querySelector("[data-name]").textContent = item.label;
    box.querySelector("[data-state]").textContent = item.state === "marked" ? words.refused : words.sending;
    const why = item.words || (item.isForeign ? words.foreign : item.tries ? words.no_answer : "");
    box.querySelector("[data-words]").textContent = item.status ? `${why} (${item.status})` : why;
    box.querySelector("[data-actions]").hidden = item.state !== "marked";
    box.querySelector("[data-do=open]").hidden = item.kind !== "round" || item.table !== table.key;
    box.querySelectorAll("[data-do]").forEach((button) => { button.dataset.item = item.id; });
    return box;
  }

  function asText(item) {
    const lines = [item.label];
    if (item.body.facts) lines.push(...told(item.body.facts).map((pair) => pair.filter(Boolean).join(": ")));
    if (item.words) lines.push(item.words);
    return [...lines, JSON.stringify({ address: item.address, ...item.body })].join("\n");
  }

  // ---- Saving

  // What keeps these facts from being saved, in words; nothing if the server will take them.
  function problem(facts) {
    if (playbook.kind === "captures") {
      const taken = Object.values(facts.captured).flat();
      const cards = [...form.querySelectorAll("[data-card]")].map((each) => each.dataset.card).filter((card) => !taken.includes(card));
      return cards.length ? say("card_missing", { cards: cards.map(cardName).join(" ") }) : "";
    }
    if (playbook.kind === "finish") return facts.finish.length === players.length ? "" : words.finish_missing;
    if (facts.kankei.length !== 2) return words.choose_kankei;
    const judged = playbook.round(facts.deals, facts.cut_off);
    const counted = judged.outcomes.length;
    if (judged.problem?.problem) return judged.problem.problem;
    if (counted && counted < facts.deals.length && judged.isOver) return say("round_over", { deal: counted });
    return counted && counted === facts.deals.length ? "" : say("count_first", { number: counted + 1 });
  }

  // A result so rare that it is asked for: all sixteen, and nobody declared it.
  function rareDeal(facts) {
    const known = typing.facts?.deals ?? [];
    return (facts.deals ?? []).find((deal, i) => !deal.declaration && Math.max(deal.kankei, deal.mukankei) === 16
      && JSON.stringify(known[i]) !== JSON.stringify(deal) && playbook.legal(i + 1, deal).length > 0);
  }

  // Ask for a yes in this dialog; closing it otherwise is a no.
  function ask(id, sentence = "") {
    const box = by(id);
    if (sentence) box.querySelector("h2").textContent = sentence;
    box.returnValue = "no";
    box.showModal();
    return new Promise((resolve) => box.addEventListener("close", () => resolve(box.returnValue === "yes"), { once: true }));
  }

  function complain(sentence) {
    const box = by("save-problem");
    box.textContent = sentence;
    box.hidden = !sentence;
    if (sentence) { buzz(60); box.scrollIntoView({ block: "center" }); }
  }

  async function save() {
    const facts = taker.facts();
    const wrong = problem(facts);
    complain(wrong);
    if (wrong) return;
    const rare = rareDeal(facts);
    if (rare && !(await ask("rare", say("rare", rare)))) return;
    const round = typing;
    const order = (value) => JSON.stringify(value, (_, each) => (each && typeof each === "object" && !Array.isArray(each) ? Object.fromEntries(Object.entries(each).sort()) : each));
    if (!round.facts || order(round.facts) !== order(facts)) {
      const reason = round.isCorrection ? by("reason").value.trim() : "";
      if (round.isCorrection && !reason) { by("reason").focus(); complain(words.reason_needed); return; }
      const label = say("read_out", { table: now.table, round: title(round.number), version: round.seen + 1 });
      const kept = await outbox.add(request("round", round.number, round.seen, { facts, seen: round.seen, reason }, label));
      if (!kept) { complain(words.kept_elsewhere); return; }
      await outbox.dropDraft(draftKey(round));
      await look();
    }
    buzz(30);
    goOn(isComplete(facts));
  }

  // After a round is in the out-box: its next deal, or hand the phone on.
  function goOn(isOver) {
    const all = rounds();
    if (isFinished(all)) show(toAccept() ? "check" : "end", true);
    else if (isOver) { announce(""); show("pass", true); }
    else { announce(say("same_dealer", { number: (all.at(-1).facts.deals?.length ?? 0) + 1 })); show("form"); }
    if (isFinished(all)) return;
    const round = next(all);
    if (isOver) { showRound(round); return; }
    taker.hasParted = (round.facts?.deals?.length ?? 0) >= playbook.parted_before;
    typing = round; // the form shows it already, and perhaps the beginning of its next deal
    form.elements.seen.value = round.seen;
    outbox.keepDraft(draftKey(round), { ...taker.typedSoFar(), reason: "" });
  }

  // ---- What buttons do

  const acts = {
    again: () => outbox.again(),
    copy: async () => {
      by("queue-text").select();
      try { await navigator.clipboard.writeText(by("queue-text").value); } catch { document.execCommand("copy"); }
      announce(words.copied);
    },
    share: () => navigator.share({ text: by("queue-text").value }).catch(() => {}),
    "take-phone": () => { const round = toAccept(); show(round ? "check" : "form", true); window.scrollTo(0, 0); },
    accept: async () => {
      const round = toAccept();
      if (round) await outbox.add(request("accept", round.number, round.version, { version: round.version }, `${title(round.number)}: ${words.accepted}`));
      await look();
      show(isFinished() ? "end" : "form", true);
      window.scrollTo(0, 0);
    },
    correct: async () => {
      const round = toAccept() ?? rounds().filter((each) => each.complete).at(-1);
      await showRound({ number: round.number, seen: round.version, facts: round.facts, isCorrection: true });
      show("form", true);
      window.scrollTo(0, 0);
    },
    "ask-correction": () => {
      const round = rounds().filter((each) => each.complete).at(-1);
      if (round) callDesk("correction", say("correction_of", { round: title(round.number) }));
    },
    call: () => callDesk("director", ""),
    "take-over": async () => {
      const answer = await post(addresses.takeOver());
      if (!answer) { announce(words.no_answer); return; }
      await refresh();
      outbox.again();
    },
    open: async (id) => {
      const item = items.find((each) => each.id === id);
      await outbox.keepDraft(draftKey({ number: item.number, seen: rounds()[item.number - 1]?.version ?? 0 }), { ...makiyaku.RoundForm.values(item.body.facts) });
      const stored = now.rounds[item.number - 1];
      await outbox.drop(id);
      await look();
      const round = stored ? { number: item.number, seen: stored.version, facts: stored.facts, isCorrection: stored.complete } : next();
      await outbox.keepDraft(draftKey(round), { ...makiyaku.RoundForm.values(item.body.facts) });
      await showRound(round);
      show("form", true);
    },
    drop: async (id) => {
      if (!(await ask("sure-drop"))) return;
      await outbox.drop(id);
      await look();
      if (panel === "form") showRound(next());
    },
  };

  async function callDesk(kind, sentence) {
    await outbox.add(request("call", Date.now(), 0, { kind, words: sentence }, sentence || words.call));
    announce(navigator.onLine ? words.call_sent : words.call_kept);
    by("trouble").hidden = true;
  }

  async function post(address) {
    try {
      const response = await fetch(address, { method: "POST", headers: { "X-CSRFToken": form.elements.csrfmiddlewaretoken.value, "Content-Type": "application/json" }, body: "{}" });
      return response.ok ? await response.json() : null;
    } catch {
      return null;
    }
  }

  // ---- Keeping up

  async function look() {
    const sentBefore = items.filter((item) => item.state === "sent").length;
    items = await outbox.items();
    if (isReady && items.filter((item) => item.state === "sent").length > sentBefore) beep();
    showQueue();
    if (panel !== "form") show(panel);
  }

  // Ask how the table stands; the form stays as it is while something is typed into it.
  async function refresh() {
    try {
      const response = await fetch(addresses.table(), { headers: { Accept: "application/json" }, cache: "no-store" });
      const answer = response.ok ? await response.json() : null;
      if (!Array.isArray(answer?.rounds) || answer.id !== now.id) return;
      now = answer;
    } catch {
      return; // no network: nothing new
    }
    showQueue();
    const round = next();
    const isOther = typing && !typing.isCorrection && (round.number !== typing.number || round.seen !== typing.seen);
    if (isOther && !(await outbox.draft(draftKey(typing)).catch(() => null))) await showRound(round);
    if (panel === "form" && toAccept() && !isWriter()) show("check", true);
    else if (panel === "form" && isFinished()) show("end");
    else if (panel !== "form") show(panel);
  }

  // ---- Touch and sound, off until switched on

  const isOn = (name) => { try { return localStorage.getItem(`makiyaku-${name}`) === "on"; } catch { return false; } };
  function buzz(length) { if (isOn("buzz")) navigator.vibrate?.(length); }
  function beep() {
    if (!isOn("sound") || !window.AudioContext) return;
    const context = new AudioContext();
    const tone = context.createOscillator();
    tone.connect(context.destination);
    tone.start();
    tone.stop(context.currentTime + 0.12);
    tone.onended = () => context.close();
  }
  document.querySelectorAll("[data-switch]").forEach((box) => {
    box.checked = isOn(box.dataset.switch);
    box.addEventListener("change", () => { try { localStorage.setItem(`makiyaku-${box.dataset.switch}`, box.checked ? "on" : "off"); } catch { /* kept until the page closes */ } });
  });

  // ---- On https the page itself is kept, too: once, as it came

  async function keepPage() {
    await navigator.serviceWorker.ready;
    const shell = await caches.open("makiyaku-shell-1");
    const files = [...document.querySelectorAll("script[src], link[rel=stylesheet]")].map((each) => each.src || each.href);
    await shell.addAll([location.href, ...files]);
    document.documentElement.dataset.shell = "kept";
  }

  // ---- Beginning

  const outbox = new makiyaku.Outbox({ event: table.event, csrf: () => form.elements.csrfmiddlewaretoken.value, changed: () => look() });
  let touches = 0;
  const taker = new makiyaku.RoundForm(form, { playbook, words, changed: () => {
    touches += 1;
    if (isReady && typing) outbox.keepDraft(draftKey(typing), { ...taker.typedSoFar(), reason: by("reason").value });
  } });
  makiyaku.outbox = outbox;
  makiyaku.form = taker;
  makiyaku.table = { rounds, next, playbook, refresh };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do]");
    if (button && isReady) { buzz(15); acts[button.dataset.do](Number(button.dataset.item)); }
    else if (event.target.closest(".counter-step, .counter-fill, .tap-player, .seat, .chip, [data-card], [data-taker-button]")) buzz(15);
  });
  document.querySelectorAll("dialog").forEach((box) => box.addEventListener("click", (event) => {
    const answer = event.target.closest("[data-answer]");
    if (answer) box.close(answer.dataset.answer);
  }));
  document.querySelector("[data-do=share]").hidden = !navigator.share;
  form.addEventListener("submit", async (event) => {
    if (!isReady) return; // nothing can be kept here: the form is sent as it is
    event.preventDefault();
    if (isSaving) { isWanted = true; return; } // a double tap, or the next deal already
    isSaving = true;
    try {
      do { isWanted = false; await save(); } while (isWanted && panel === "form");
    } finally { isSaving = false; }
  });

  (async () => {
    try {
      items = await outbox.items();
      isReady = true;
    } catch {
      by("queue-words").textContent = words.no_store;
      return;
    }
    await showRound(next());
    showQueue();
    show(toAccept() ? "check" : isFinished() ? "end" : "form");
    outbox.start();
    let known = items.filter((item) => item.state === "sent").length;
    setInterval(() => {
      const sent = items.filter((item) => item.state === "sent").length;
      if (document.visibilityState === "visible" && (sent !== known || !isWriter() || tournament.accepting === "second")) { known = sent; refresh(); }
    }, LOOK);
    document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") refresh(); });
    document.documentElement.dataset.phone = "ready";
    if (window.isSecureContext) navigator.serviceWorker?.register("/service-worker.js").then(keepPage).catch(() => {});
  })();
})();
