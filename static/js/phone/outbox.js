// Queue of requests that the server has not confirmed yet. Independent of the page and of the game.
//
// An item is one request: {table, mark, at, event, kind, number, seen, method, address, body, label, told}. An item with the
// same natural key (table, kind, number, seen) is added only once, with an idempotency key, so that two taps or two tabs make
// one round. States: waiting (retried), marked (refused or failed; shown, and retried when something changes), sent (confirmed).
//
// The start and the length of a retry delay are stored separately, and so are those of a claim: a clock that is set back to
// before the start ends either.
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

  static MAX_RETRY_DELAY = 8000; // ms between two attempts
  static CLAIM_TIME = 6000; // ms for which other tabs do not send a claimed item; renewed while it is sent
  static TIMEOUT = 15000;
  static MAX_RETRY_AFTER = 120000; // ms; a longer Retry-After is shortened to this
  static SENT_RETENTION = 14 * 24 * 3600 * 1000; // ms for which sent items stay, so that a tab left open cannot send them again

  random() {
    return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  // Survives a reload, so that a tab can resume the items that it has claimed.
  tabName() {
    const name = makiyaku.tabStorage.get("makiyaku-tab") || this.random();
    makiyaku.tabStorage.set("makiyaku-tab", name);
    return name;
  }

  // ---- Drafts

  draft(key) { return this.store.draft(key); }
  keepDraft(key, draft) { return this.store.put("drafts", key, draft); }
  dropDraft(key) { return this.store.put("drafts", key, null); }

  // ---- The queue

  items() { return this.store.items(); }

  // Return the stored item, or null if one with other contents has the same natural key.
  async add(item) {
    const whole = { ...item, event: this.event, key: this.random(), state: "waiting", tries: 0, wait: 0, madeAt: Date.now() };
    const stored = await this.store.add(whole);
    if (stored.key !== whole.key) return JSON.stringify(stored.body) === JSON.stringify(item.body) ? stored : null;
    this.notify();
    this.send();
    return stored;
  }

  update(id, changes) { return this.store.update(id, changes); }

  // Remove an item; only at somebody's request.
  async drop(id) {
    await this.store.put("queue", id, null);
    this.notify();
  }

  notify() {
    this.channel?.postMessage("changed");
    this.changed();
  }

  // Retry waiting and marked items now: something may have changed.
  async retryAll() {
    const items = await this.items();
    await Promise.all(items.filter((item) => item.state !== "sent").map((item) => this.update(item.id, { wait: 0 })));
    this.send();
  }

  // Claim the next item in order, so that no other tab sends it.
  claim() {
    const now = Date.now();
    return this.store.claim((items) => this.nextItem(items, now), { claimedBy: this.tab, claimedAt: now });
  }

  // How many of `wait` ms from `began` are left.
  static remaining(began, wait, now) { return began <= now ? Math.max(0, began + wait - now) : 0; }

  static retryDelay(item, now) { return makiyaku.Outbox.remaining(item.triedAt, item.wait, now); }
  static claimLeft(item, now) { return item.claimedBy ? makiyaku.Outbox.remaining(item.claimedAt, makiyaku.Outbox.CLAIM_TIME, now) : 0; }

  // Return the first item to be sent. A waiting item blocks later ones of its table, which build on it; a marked one does not.
  nextItem(items, now) {
    const blocked = new Set();
    for (const item of items) {
      if (item.state === "sent" || item.event !== this.event || blocked.has(item.table)) continue;
      const isTaken = item.claimedBy !== this.tab && makiyaku.Outbox.claimLeft(item, now);
      if (!isTaken && !makiyaku.Outbox.retryDelay(item, now)) return item;
      if (item.state === "waiting" || isTaken) blocked.add(item.table);
    }
    return null;
  }

  async send() {
    if (this.isSending) return;
    this.isSending = true;
    clearTimeout(this.timer);
    try {
      for (let item = await this.claim(); item; item = await this.claim()) {
        await this.settle(item, await this.request(item));
        this.notify();
      }
    } finally {
      this.isSending = false;
    }
    const items = (await this.items()).filter((item) => item.state !== "sent" && item.event === this.event);
    const now = Date.now();
    const waits = items.map((item) => Math.max(makiyaku.Outbox.retryDelay(item, now), makiyaku.Outbox.claimLeft(item, now)));
    const soonest = Math.min(...waits.filter(Number.isFinite));
    if (Number.isFinite(soonest)) this.timer = setTimeout(() => this.send(), Math.max(200, soonest));
  }

  // Send a request; return {status, json, key, retryAfter, isRedirect}: status 0 without a response, json null if the response is
  // not ours; `key` is the idempotency key of the request that was answered. Our server never redirects these requests.
  async request(item) {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), makiyaku.Outbox.TIMEOUT);
    const claiming = setInterval(() => this.update(item.id, { claimedAt: Date.now() }), makiyaku.Outbox.CLAIM_TIME / 3);
    try {
      const response = await fetch(item.address, {
        method: item.method,
        body: JSON.stringify(item.body),
        headers: {
          "Accept": "application/json",
          "Content-Type": "application/json",
          "Idempotency-Key": item.key,
          ...(item.of && { "Makiyaku-Table": item.of }), // items of earlier versions have none
          ...(item.isSentAgain && { "Makiyaku-Sent-Again": "1" }),
          "X-CSRFToken": this.csrf(),
        },
        credentials: "same-origin",
        redirect: "manual",
        cache: "no-store",
        signal: controller.signal,
      });
      const text = await response.text();
      let json = null;
      try { json = JSON.parse(text); } catch { /* a captive portal, or a proxy's own page */ }
      if (json === null || typeof json !== "object") json = null;
      return { status: response.status, isRedirect: response.type === "opaqueredirect", json, key: response.headers.get("Idempotency-Key"), epoch: makiyaku.Requests.epochOf(response), retryAfter: Number(response.headers.get("Retry-After")) || 0 };
    } catch {
      return { status: 0, json: null, key: null, retryAfter: 0 };
    } finally {
      clearTimeout(timer);
      clearInterval(claiming);
    }
  }

  // Store the result. Only a response of our server makes an item "sent" or ends its retries; others may come from a proxy.
  async settle(item, { status, json, key, epoch, retryAfter, isRedirect }) {
    const tries = item.tries + 1;
    const wait = Math.max(Math.min(retryAfter * 1000, makiyaku.Outbox.MAX_RETRY_AFTER), Math.min(makiyaku.Outbox.MAX_RETRY_DELAY, 500 * 2 ** tries) * (0.75 + Math.random() / 2));
    const result = { tries, status, claimedBy: null, triedAt: Date.now() };
    const isForItem = key === item.key; // else the response is to another request
    const isSettled = isForItem && status === 409 && json?.code === "settled" && json.stored !== undefined; // the desk has decided: there is nothing left to send
    if (isSettled || (isForItem && status >= 200 && status < 300 && json && this.isConfirmation(item, json))) {
      const wasDisputed = (isSettled && !json.scores_alike) || (item.code === "stale" && item.answer?.stored); // versions that score alike are not reported
      await this.update(item.id, { ...result, state: "sent", answer: isSettled ? json.stored : json, words: "", code: wasDisputed ? "settled" : "", sentAt: Date.now(), epoch });
      await this.retryMarked(item.table);
      return;
    }
    const isRefusal = makiyaku.Outbox.isRefusal(json);
    const isTemporary = [0, 408, 425, 429, 502, 503, 504, 507].includes(status) || status < 400;
    const isRetried = isTemporary || !isRefusal || [401, 403, 404].includes(status) || json.code === "other_table" || status >= 500 || json.code === "not_next";
    await this.update(item.id, {
      ...result, words: isRefusal ? this.errorText(json) : "", code: isRefusal ? json.code : "", answer: json,
      state: isTemporary ? "waiting" : "marked",
      wait: isRetried ? wait : Infinity,
      isForeign: makiyaku.Outbox.isForeign({ status, json, isRedirect }),
    });
  }

  static isRefusal(json) { return json?.ok === false && typeof json.code === "string"; }

  // Whether our server has refused this item; others are marked after an error of a server or an answer that is not ours.
  static isRefused({ state, code, status }) { return state === "marked" && Boolean(code) && status < 500; }

  // Whether something between phone and server has answered, such as the log-in page of a Wi-Fi. Our server redirects none of
  // these requests; an overloaded one, or a proxy before it, may answer without our format.
  static isForeign({ status, json, isRedirect }) {
    if (isRedirect || status === 511) return true;
    return status > 0 && status < 500 && ![408, 425, 429].includes(status) && !makiyaku.Outbox.isRefusal(json);
  }

  // Whether a response confirms this request.
  isConfirmation(item, json) {
    if (item.kind === "round") return json.number === item.number && Number.isInteger(json.version);
    if (item.kind === "accept") return json.accepted === true;
    return Number.isInteger(json.id);
  }

  // The server's messages, each once.
  errorText(json) {
    const errors = Array.isArray(json.errors) ? json.errors.map((each) => each?.message) : [];
    return [...new Set([json.message, ...errors])].filter((words) => typeof words === "string" && words).join(" ");
  }

  // An item may have been refused only because an earlier round was missing.
  async retryMarked(table) {
    const marked = (await this.items()).filter((item) => item.state === "marked" && item.table === table);
    await Promise.all(marked.map((item) => this.update(item.id, { wait: 0 })));
    const old = (await this.items()).filter((item) => item.state === "sent" && Date.now() - item.sentAt > makiyaku.Outbox.SENT_RETENTION);
    await Promise.all(old.map((item) => this.store.put("queue", item.id, null)));
  }

  start() {
    const retry = () => { this.retryAll(); };
    window.addEventListener("online", retry);
    window.addEventListener("pageshow", retry);
    document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") retry(); });
    retry();
  }
};
