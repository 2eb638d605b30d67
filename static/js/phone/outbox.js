// What a phone has taken down and the server has not confirmed yet. Knows nothing of pages or of the game.
//
// An item is one request: {table, mark, at, event, kind, number, seen, method, address, body, label, told}. The same natural key
// (table, kind, number, seen) is put in once only, and each carries an idempotency key made then: two taps and two
// tabs are one round. States: waiting (tried again by itself), marked (the server said no; kept, told, tried again
// when something changes), sent (the server said so).
//
// When an item was tried and for how long nobody tries it again are kept apart, as are when it was claimed and for how
// long: a clock that is put back meanwhile ends both, for it is no later than when they began.
makiyaku.Outbox = class {
  constructor({ event, csrf, changed }) {
    this.event = event;
    this.csrf = csrf;
    this.changed = changed;
    this.tab = this.tabName();
    this.isSending = false;
    this.store = new makiyaku.Store(() => this.changed());
    this.channel = "BroadcastChannel" in window ? new BroadcastChannel("makiyaku-outbox") : null;
    if (this.channel) this.channel.onmessage = () => this.changed();
  }

  static LONGEST_WAIT = 8000; // ms between two tries
  static CLAIM = 6000; // ms for which a tab that sends an item keeps others from it, unless it says so again
  static TIMEOUT = 15000;
  static LONGEST_ASKED = 120000; // ms to wait because an answer says so; longer, and it is not believed
  static KEPT = 14 * 24 * 3600 * 1000; // sent items, so that a tab left open cannot send them anew

  random() {
    return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  // The same after a reload, so that a tab takes up what it was sending.
  tabName() {
    const name = makiyaku.tab.kept("makiyaku-tab") || this.random();
    makiyaku.tab.keep("makiyaku-tab", name);
    return name;
  }

  // ---- The half-typed round

  draft(key) { return this.store.draft(key); }
  keepDraft(key, draft) { return this.store.put("drafts", key, draft); }
  dropDraft(key) { return this.store.put("drafts", key, null); }

  // ---- The queue

  items() { return this.store.items(); }

  // Return the item as it is kept, or null when another with other contents has its place already.
  async add(item) {
    const whole = { ...item, event: this.event, key: this.random(), state: "waiting", tries: 0, wait: 0, madeAt: Date.now() };
    const kept = await this.store.add(whole);
    if (kept.key !== whole.key) return JSON.stringify(kept.body) === JSON.stringify(item.body) ? kept : null;
    this.tell();
    this.send();
    return kept;
  }

  update(id, changes) { return this.store.update(id, changes); }

  // Take an item out: only when a person says so, after it was handed over otherwise.
  async drop(id) {
    await this.store.put("queue", id, null);
    this.tell();
  }

  tell() {
    this.channel?.postMessage("changed");
    this.changed();
  }

  // Try again what waits, and what was marked: something may have changed.
  async again() {
    const items = await this.items();
    await Promise.all(items.filter((item) => item.state !== "sent").map((item) => this.update(item.id, { wait: 0 })));
    this.send();
  }

  // Claim the next item in order, so that no other tab sends it.
  claim() {
    const now = Date.now();
    return this.store.claim((items) => this.nextOf(items, now), { claimedBy: this.tab, claimedAt: now });
  }

  // What is left of so many ms that began then.
  static left(began, wait, now) { return began <= now ? Math.max(0, began + wait - now) : 0; }

  // For how long nobody tries this item; and for how long a tab has it.
  static resting(item, now) { return makiyaku.Outbox.left(item.triedAt, item.wait, now); }
  static taken(item, now) { return item.claimedBy ? makiyaku.Outbox.left(item.claimedAt, makiyaku.Outbox.CLAIM, now) : 0; }

  // An item that waits holds back those behind it at its own table, which build on it; a marked one does not.
  nextOf(items, now) {
    const held = new Set();
    for (const item of items) {
      if (item.state === "sent" || item.event !== this.event || held.has(item.table)) continue;
      const isTaken = item.claimedBy !== this.tab && makiyaku.Outbox.taken(item, now);
      if (!isTaken && !makiyaku.Outbox.resting(item, now)) return item;
      if (item.state === "waiting" || isTaken) held.add(item.table);
    }
    return null;
  }

  async send() {
    if (this.isSending) return;
    this.isSending = true;
    clearTimeout(this.timer);
    try {
      for (let item = await this.claim(); item; item = await this.claim()) {
        await this.settle(item, await this.ask(item));
        this.tell();
      }
    } finally {
      this.isSending = false;
    }
    const items = (await this.items()).filter((item) => item.state !== "sent" && item.event === this.event);
    const now = Date.now();
    const waits = items.map((item) => Math.max(makiyaku.Outbox.resting(item, now), makiyaku.Outbox.taken(item, now)));
    const soonest = Math.min(...waits.filter(Number.isFinite));
    if (Number.isFinite(soonest)) this.timer = setTimeout(() => this.send(), Math.max(200, soonest));
  }

  // Ask the server; return {status, json, key, retryAfter}: status 0 when nobody answered, json null when it was not ours;
  // the key is that of the request that was answered.
  async ask(item) {
    const given = new AbortController();
    const timer = setTimeout(() => given.abort(), makiyaku.Outbox.TIMEOUT);
    const claiming = setInterval(() => this.update(item.id, { claimedAt: Date.now() }), makiyaku.Outbox.CLAIM / 3);
    try {
      const response = await fetch(item.address, {
        method: item.method,
        body: JSON.stringify(item.body),
        headers: {
          "Accept": "application/json",
          "Content-Type": "application/json",
          "Idempotency-Key": item.key,
          "X-CSRFToken": this.csrf(),
        },
        credentials: "same-origin",
        redirect: "manual",
        cache: "no-store",
        signal: given.signal,
      });
      const text = await response.text();
      let json = null;
      try { json = JSON.parse(text); } catch { /* a captive portal, or a proxy's own page */ }
      if (json === null || typeof json !== "object") json = null;
      return { status: response.status, json, key: response.headers.get("Idempotency-Key"), retryAfter: Number(response.headers.get("Retry-After")) || 0 };
    } catch {
      return { status: 0, json: null, key: null, retryAfter: 0 };
    } finally {
      clearTimeout(timer);
      clearInterval(claiming);
    }
  }

  // Write down what came of it. Nothing but the server's own word makes an item "sent", or ends that it is tried again
  // by itself: whatever else answers is in the way.
  async settle(item, { status, json, key, retryAfter }) {
    const tries = item.tries + 1;
    const wait = Math.max(Math.min(retryAfter * 1000, makiyaku.Outbox.LONGEST_ASKED), Math.min(makiyaku.Outbox.LONGEST_WAIT, 500 * 2 ** tries) * (0.75 + Math.random() / 2));
    const told = { tries, status, claimedBy: null, triedAt: Date.now() };
    const isToIt = key === item.key; // else it answers something else, whatever it says
    const isSettled = isToIt && status === 409 && json?.code === "settled" && Boolean(json.stored); // the desk has decided: nothing is left to send
    if (isSettled || (isToIt && status >= 200 && status < 300 && json && this.isOurs(item, json))) {
      const wasDisputed = (isSettled && !json.scores_alike) || (item.code === "stale" && item.answer?.stored); // of versions that score alike nobody is told
      await this.update(item.id, { ...told, state: "sent", answer: isSettled ? json.stored : json, words: "", code: wasDisputed ? "settled" : "", sentAt: Date.now() });
      await this.reconsider(item.table);
      return;
    }
    const isRefusal = json?.ok === false && typeof json.code === "string";
    const isPassing = [0, 408, 425, 429, 502, 503, 504, 507].includes(status) || status < 400;
    const triesItself = isPassing || !isRefusal || [401, 403, 404].includes(status) || status >= 500 || json.code === "not_next";
    await this.update(item.id, {
      ...told, words: isRefusal ? this.wordsOf(json) : "", code: isRefusal ? json.code : "", answer: json,
      state: isPassing ? "waiting" : "marked",
      wait: triesItself ? wait : Infinity,
      isForeign: !isRefusal && (isPassing ? status > 0 && status < 400 : status < 500),
    });
  }

  // Whether an answer to this request says that it was done.
  isOurs(item, json) {
    if (item.kind === "round") return json.number === item.number && Number.isInteger(json.version);
    if (item.kind === "accept") return json.accepted === true;
    return Number.isInteger(json.id);
  }

  // The server's own words, each once.
  wordsOf(json) {
    const errors = Array.isArray(json.errors) ? json.errors.map((each) => each?.message) : [];
    return [...new Set([json.message, ...errors])].filter((words) => typeof words === "string" && words).join(" ");
  }

  // What was marked may have been so only because an earlier round was missing.
  async reconsider(table) {
    const marked = (await this.items()).filter((item) => item.state === "marked" && item.table === table);
    await Promise.all(marked.map((item) => this.update(item.id, { wait: 0 })));
    const old = (await this.items()).filter((item) => item.state === "sent" && Date.now() - item.sentAt > makiyaku.Outbox.KEPT);
    await Promise.all(old.map((item) => this.store.put("queue", item.id, null)));
  }

  // Look after the queue from now on.
  start() {
    const again = () => { this.again(); };
    window.addEventListener("online", again);
    window.addEventListener("pageshow", again);
    document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") again(); });
    again();
  }
};
