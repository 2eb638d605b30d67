// Requests to the server; its addresses are only here.
makiyaku.Requests = class {
  constructor(page, csrf) {
    this.page = page;
    this.csrf = csrf;
  }

  static ENDPOINTS = {
    round: (number) => ["PUT", `/rounds/${number}`],
    accept: (number) => ["POST", `/rounds/${number}/accept`],
    call: () => ["POST", "/calls"],
  };

  // An item for the out-box. It contains its event and table and its facts in words: when it is handed over, the page may be
  // that of another table, where the same numbers mean other players.
  make(kind, number, seen, body, label, told = []) {
    const { table_key: table, api, event_digest: mark, at, place, state } = this.page;
    const [method, path] = makiyaku.Requests.ENDPOINTS[kind](number);
    return { table, of: state.key, place, mark, at, kind, number, seen, method, address: api + path, body, label, told };
  }

  static ENDED = ["event_over", "event_removed", "phone_ended"]; // the refusals that only a new link or PIN undoes

  // The table's state; null without a response of ours, {ended: code} if this phone can no longer record.
  async table() {
    const answer = await makiyaku.Requests.state(this.page.api, this.page.state.key);
    if ([...makiyaku.Requests.ENDED, ...makiyaku.Comparison.UNKNOWN].includes(answer?.code)) return { ended: answer.code, epoch: answer.epoch };
    return Array.isArray(answer?.rounds) && answer.id === this.page.state.id ? answer : null;
  }

  // The state of the table with this key at an address, or a refusal, with the epoch; null without a response of ours.
  static async state(address, key) {
    const headers = { Accept: "application/json", ...(key && { "Makiyaku-Table": key }) }; // items of earlier versions have none
    try {
      const response = await fetch(address, { headers, cache: "no-store" });
      return { ...await response.json(), epoch: makiyaku.Requests.epochOf(response) };
    } catch {
      return null;
    }
  }

  static epochOf(response) { return Number(response.headers.get("Makiyaku-Epoch")); }

  // The text at an address; null without a response of ours.
  async content(address) {
    try {
      const response = await fetch(address, { headers: { Accept: "text/html, application/json" }, redirect: "error", cache: "no-store" });
      return response.ok ? await response.text() : null;
    } catch {
      return null;
    }
  }

  // What the page contains for its script, as it is now; null without a response of ours.
  async newerPage() {
    const content = await this.content(location.pathname);
    const block = content && new DOMParser().parseFromString(content, "text/html").getElementById("table");
    const page = block && JSON.parse(block.textContent);
    return page?.table_key === this.page.table_key ? page : null;
  }

  // Cancel a call; null if that failed.
  takeCallBack(id) { return makiyaku.Requests.json(`${this.page.api}/calls/${id}`, { method: "DELETE", headers: { "X-CSRFToken": this.csrf() } }); }

  takeOver() {
    return makiyaku.Requests.json(`${this.page.api}/take-over`, { method: "POST", headers: { "X-CSRFToken": this.csrf(), "Content-Type": "application/json" }, body: "{}" });
  }

  static async json(address, options) {
    try {
      const response = await fetch(address, options);
      return response.ok ? await response.json() : null;
    } catch {
      return null;
    }
  }
};
