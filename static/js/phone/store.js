// Stores drafts, by key, and the out-box, by id, in IndexedDB, which survives reloads, closed tabs and empty batteries and needs
// no secure context. Writes that fail (the database is full, read-only or broken) are kept in memory while the page is open, and
// take precedence over the database. A database that is cleared while the page is open is restored from what the page has read
// and written.
makiyaku.Store = class {
  constructor(changed) {
    this.changed = changed; // called when writes begin to fail, and when they succeed again
    this.inMemory = { drafts: new Map(), queue: new Map() };
    this.written = new Map(); // the drafts that this page has written
    this.isRefusing = false;
  }

  static OPEN_TIMEOUT = 5000; // ms for a database to open
  static NATURAL_KEY = ["table", "kind", "number", "seen"];

  open() {
    this.opening ??= this.connect().then((database) => this.restore(database)).catch((error) => { this.opening = null; throw error; });
    return this.opening;
  }

  connect() {
    return new Promise((resolve, reject) => {
      const request = indexedDB.open("makiyaku", 1);
      const timeout = setTimeout(() => reject(new Error("no answer")), makiyaku.Store.OPEN_TIMEOUT);
      request.onupgradeneeded = () => {
        request.result.createObjectStore("drafts");
        const queue = request.result.createObjectStore("queue", { keyPath: "id", autoIncrement: true });
        queue.createIndex("natural", makiyaku.Store.NATURAL_KEY, { unique: true });
      };
      request.onblocked = () => reject(new Error("blocked"));
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        clearTimeout(timeout);
        const reset = () => { this.opening = null; this.changed(); }; // the database is opened again at its next use
        request.result.onclose = reset;
        request.result.onversionchange = () => { request.result.close(); reset(); };
        resolve(request.result);
      };
    });
  }

  // Write again what a database has lost since this page read it: somebody has cleared the browser's data.
  restore(database) {
    if (!this.read) return database;
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(["queue", "drafts"], "readwrite", { durability: "strict" });
      const queue = transaction.objectStore("queue");
      const drafts = transaction.objectStore("drafts");
      const rows = queue.getAll();
      rows.onsuccess = () => {
        if (rows.result.length) return; // nothing is lost, or another tab has restored it
        this.read.forEach((item) => queue.put(item));
        this.written.forEach((draft, key) => drafts.put(draft, key));
      };
      transaction.oncomplete = () => resolve(database);
      transaction.onabort = () => reject(transaction.error);
    });
  }

  // Run `work(store)` in one transaction; return the result of the request that it returns, once it is on disk.
  async transact(name, mode, work) {
    const database = await this.open();
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(name, mode, { durability: "strict" });
      const request = work(transaction.objectStore(name));
      transaction.oncomplete = () => resolve(request?.result);
      transaction.onabort = transaction.onerror = () => reject(transaction.error || request?.error);
    });
  }

  // ---- Reading: values in memory take precedence

  async draft(key) {
    const { drafts } = this.inMemory;
    return drafts.has(key) ? drafts.get(key) : this.transact("drafts", "readonly", (store) => store.get(key));
  }

  // All items of the out-box, in order; as last read if the database can no longer be read.
  async items() {
    try {
      this.read = await this.transact("queue", "readonly", (store) => store.getAll());
    } catch (error) {
      if (!this.read) throw error;
    }
    return this.withMemory(this.read);
  }

  withMemory(rows) {
    const all = new Map([...rows.map((item) => [item.id, item]), ...this.inMemory.queue]);
    return [...all.values()].filter(Boolean).sort((one, other) => one.id - other.id);
  }

  // Whether closing the page would lose a draft or an unsent item.
  hasUnstored() {
    return [...this.inMemory.drafts.values()].some(Boolean) || [...this.inMemory.queue.values()].some((item) => item && item.state !== "sent");
  }

  // ---- Writing: never rejects

  async put(name, key, value) {
    const before = this.inMemory[name].get(key);
    if (name === "drafts" && value === null) this.written.delete(key);
    else if (name === "drafts") this.written.set(key, value);
    const work = (store) => (value === null ? store.delete(key) : name === "queue" ? store.put(value) : store.put(value, key));
    try {
      await this.transact(name, "readwrite", work);
      if (this.inMemory[name].get(key) === before) this.inMemory[name].delete(key); // unless it has changed meanwhile
      this.setRefusing(false);
    } catch {
      this.keepInMemory(name, key, value);
    }
  }

  keepInMemory(name, key, value) {
    this.inMemory[name].set(key, value);
    this.setRefusing(true);
  }

  setRefusing(isRefusing) {
    if (isRefusing === this.isRefusing) return;
    this.isRefusing = isRefusing;
    this.changed();
    if (!isRefusing) Object.entries(this.inMemory).forEach(([name, values]) => values.forEach((value, key) => this.put(name, key, value)));
  }

  // Add an item and return it with its id; if one has its natural key already, return that.
  async add(item) {
    const isThere = (each) => makiyaku.Store.NATURAL_KEY.every((field) => each[field] === item[field]);
    const find = async () => (await this.items()).find(isThere);
    const before = await find();
    if (before) return before;
    let whole = null;
    try {
      whole = { ...item, id: await this.transact("queue", "readwrite", (store) => store.add(item)) };
    } catch {
      const meanwhile = await find(); // from another tab
      if (meanwhile) return meanwhile;
    }
    if (whole) this.setRefusing(false);
    else this.keepInMemory("queue", (whole = { ...item, id: await this.nextId() }).id, whole);
    return whole;
  }

  // Greater than all others; the fraction keeps tabs apart.
  async nextId() {
    return Math.floor(Math.max(0, ...(await this.items()).map((each) => each.id))) + 1 + Math.random();
  }

  async update(id, changes) {
    if (!this.inMemory.queue.has(id)) {
      const change = (store) => {
        const request = store.get(id);
        request.onsuccess = () => { if (request.result) store.put({ ...request.result, ...changes }); };
        return request;
      };
      try { await this.transact("queue", "readwrite", change); return; } catch { /* kept in memory below */ }
    }
    const item = (await this.items()).find((each) => each.id === id);
    if (item) await this.put("queue", id, { ...item, ...changes });
  }

  // Write `mark` to the item that `choose(items)` returns, so that no other tab chooses it, and return it; null if none is chosen.
  async claim(choose, mark) {
    let claimed = null;
    let isKept = true;
    const pick = (rows) => {
      const chosen = choose(this.withMemory(rows));
      claimed = chosen && { ...chosen, ...mark };
      return claimed && !this.inMemory.queue.has(claimed.id);
    };
    try {
      await this.transact("queue", "readwrite", (store) => {
        const request = store.getAll();
        request.onsuccess = () => { if (pick(request.result)) store.put(claimed); };
        return request;
      });
    } catch {
      isKept = false; // other tabs do not see the claim: the idempotency key prevents a duplicate
      pick(await this.items());
    }
    if (claimed && (!isKept || this.inMemory.queue.has(claimed.id))) this.keepInMemory("queue", claimed.id, claimed);
    return claimed;
  }
};
