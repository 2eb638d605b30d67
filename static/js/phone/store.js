// Where a phone keeps drafts, by their key, and the out-box, by its ids: in IndexedDB, so that it outlives reloads, closed
// tabs and empty batteries; needs no secure context. What the database does not take (it is full, read only, broken) is
// held here for as long as the page is open, and goes before what the database has. A database that is emptied while the
// page is open gets back what the page has read and written.
makiyaku.Store = class {
  constructor(changed) {
    this.changed = changed; // called when the database begins to refuse, and when it takes again
    this.held = { drafts: new Map(), queue: new Map() };
    this.typed = new Map(); // the drafts that this page has written
    this.isRefusing = false;
  }

  static PATIENCE = 5000; // ms for a database to open
  static NATURAL = ["table", "kind", "number", "seen"];

  open() {
    this.opening ??= this.ask().then((database) => this.fill(database)).catch((error) => { this.opening = null; throw error; });
    return this.opening;
  }

  ask() {
    return new Promise((resolve, reject) => {
      const request = indexedDB.open("makiyaku", 1);
      const tooLong = setTimeout(() => reject(new Error("no answer")), makiyaku.Store.PATIENCE);
      request.onupgradeneeded = () => {
        request.result.createObjectStore("drafts");
        const queue = request.result.createObjectStore("queue", { keyPath: "id", autoIncrement: true });
        queue.createIndex("natural", makiyaku.Store.NATURAL, { unique: true });
      };
      request.onblocked = () => reject(new Error("blocked"));
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        clearTimeout(tooLong);
        const lose = () => { this.opening = null; this.changed(); }; // it is opened anew at once
        request.result.onclose = lose;
        request.result.onversionchange = () => { request.result.close(); lose(); };
        resolve(request.result);
      };
    });
  }

  // Put back what a database has lost since this page read it: somebody has cleared the browser's data.
  fill(database) {
    if (!this.read) return database;
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(["queue", "drafts"], "readwrite", { durability: "strict" });
      const queue = transaction.objectStore("queue");
      const drafts = transaction.objectStore("drafts");
      const rows = queue.getAll();
      rows.onsuccess = () => {
        if (rows.result.length) return; // nothing is lost, or another tab was first
        this.read.forEach((item) => queue.put(item));
        this.typed.forEach((draft, key) => drafts.put(draft, key));
      };
      transaction.oncomplete = () => resolve(database);
      transaction.onabort = () => reject(transaction.error);
    });
  }

  // Run `work(store)` in one transaction and return what the request it returns found, once it is on disk.
  async in(name, mode, work) {
    const database = await this.open();
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(name, mode, { durability: "strict" });
      const request = work(transaction.objectStore(name));
      transaction.oncomplete = () => resolve(request?.result);
      transaction.onabort = transaction.onerror = () => reject(transaction.error || request?.error);
    });
  }

  // ---- Reading: what is held here goes first

  async draft(key) {
    const { drafts } = this.held;
    return drafts.has(key) ? drafts.get(key) : this.in("drafts", "readonly", (store) => store.get(key));
  }

  // Everything in the out-box, in its order; as it was read last where nothing can be read any more.
  async items() {
    try {
      this.read = await this.in("queue", "readonly", (store) => store.getAll());
    } catch (error) {
      if (!this.read) throw error;
    }
    return this.withHeld(this.read);
  }

  withHeld(rows) {
    const all = new Map([...rows.map((item) => [item.id, item]), ...this.held.queue]);
    return [...all.values()].filter(Boolean).sort((one, other) => one.id - other.id);
  }

  // Whether closing the page would lose something: what is half-typed, or not sent.
  isHolding() {
    return [...this.held.drafts.values()].some(Boolean) || [...this.held.queue.values()].some((item) => item && item.state !== "sent");
  }

  // ---- Writing: never fails

  async put(name, key, value) {
    const before = this.held[name].get(key);
    if (name === "drafts") value === null ? this.typed.delete(key) : this.typed.set(key, value);
    const work = (store) => (value === null ? store.delete(key) : name === "queue" ? store.put(value) : store.put(value, key));
    try {
      await this.in(name, "readwrite", work);
      if (this.held[name].get(key) === before) this.held[name].delete(key); // else it has changed meanwhile
      this.refuses(false);
    } catch {
      this.hold(name, key, value);
    }
  }

  hold(name, key, value) {
    this.held[name].set(key, value);
    this.refuses(true);
  }

  refuses(isRefusing) {
    if (isRefusing === this.isRefusing) return;
    this.isRefusing = isRefusing;
    this.changed();
    if (!isRefusing) Object.entries(this.held).forEach(([name, held]) => held.forEach((value, key) => this.put(name, key, value)));
  }

  // Put a new item in, and return it with its id; what has its place already comes back instead.
  async add(item) {
    const isThere = (each) => makiyaku.Store.NATURAL.every((field) => each[field] === item[field]);
    const find = async () => (await this.items()).find(isThere);
    const before = await find();
    if (before) return before;
    let whole = null;
    try {
      whole = { ...item, id: await this.in("queue", "readwrite", (store) => store.add(item)) };
    } catch {
      const meanwhile = await find(); // from another tab
      if (meanwhile) return meanwhile;
    }
    if (whole) this.refuses(false);
    else this.hold("queue", (whole = { ...item, id: await this.nextId() }).id, whole);
    return whole;
  }

  // Behind all others, and no other tab's.
  async nextId() {
    return Math.floor(Math.max(0, ...(await this.items()).map((each) => each.id))) + 1 + Math.random();
  }

  async update(id, changes) {
    if (!this.held.queue.has(id)) {
      const change = (store) => {
        const request = store.get(id);
        request.onsuccess = () => { if (request.result) store.put({ ...request.result, ...changes }); };
        return request;
      };
      try { await this.in("queue", "readwrite", change); return; } catch { /* held, then */ }
    }
    const item = (await this.items()).find((each) => each.id === id);
    if (item) await this.put("queue", id, { ...item, ...changes });
  }

  // Let `choose(items)` pick one, and write the `mark` on it, so that no other tab picks it; null if there is none.
  async claim(choose, mark) {
    let claimed = null;
    let isKept = true;
    const pick = (rows) => {
      const chosen = choose(this.withHeld(rows));
      claimed = chosen && { ...chosen, ...mark };
      return claimed && !this.held.queue.has(claimed.id);
    };
    try {
      await this.in("queue", "readwrite", (store) => {
        const request = store.getAll();
        request.onsuccess = () => { if (pick(request.result)) store.put(claimed); };
        return request;
      });
    } catch {
      isKept = false; // other tabs cannot be told: then the item's key makes it one
      pick(await this.items());
    }
    if (claimed && (!isKept || this.held.queue.has(claimed.id))) this.hold("queue", claimed.id, claimed);
    return claimed;
  }
};
