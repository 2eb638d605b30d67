// What a phone asks of the server: the only place that knows its addresses.
makiyaku.Requests = class {
  constructor(page, csrf) {
    this.page = page;
    this.csrf = csrf;
  }

  static ROOMS = {
    round: (number) => ["PUT", `/rounds/${number}`],
    accept: (number) => ["POST", `/rounds/${number}/accept`],
    call: () => ["POST", "/calls"],
  };

  // An item for the out-box. It takes along of which event and table it is, and how it reads: by the time it is handed
  // over, the page may be another table's, where the same numbers are other people.
  make(kind, number, seen, body, label, told = []) {
    const { key: table, api, mark, at } = this.page;
    const [method, room] = makiyaku.Requests.ROOMS[kind](number);
    return { table, mark, at, kind, number, seen, method, address: api + room, body, label, told };
  }

  static ENDED = ["event_over", "event_removed", "phone_ended"]; // the refusals that only a new link or PIN undoes

  // How the table stands; null without an answer of ours, {ended: code} when this phone is the table's no longer.
  async table() {
    const answer = await this.ask(this.page.api, { headers: { Accept: "application/json" }, cache: "no-store" }, true);
    if (makiyaku.Requests.ENDED.includes(answer?.code)) return { ended: answer.code };
    return Array.isArray(answer?.rounds) && answer.id === this.page.now.id ? answer : null;
  }

  // What stands at an address, as text; null without an answer of ours.
  async content(address) {
    try {
      const response = await fetch(address, { headers: { Accept: "text/html, application/json" }, redirect: "error", cache: "no-store" });
      return response.ok ? await response.text() : null;
    } catch {
      return null;
    }
  }

  // Whether the desk is called no more.
  takeCallBack(id) { return this.ask(`${this.page.api}/calls/${id}`, { method: "DELETE", headers: { "X-CSRFToken": this.csrf() } }); }

  takeOver() {
    return this.ask(`${this.page.api}/take-over`, { method: "POST", headers: { "X-CSRFToken": this.csrf(), "Content-Type": "application/json" }, body: "{}" });
  }

  async ask(address, options, isRefusalAnAnswer = false) {
    try {
      const response = await fetch(address, options);
      return response.ok || isRefusalAnAnswer ? await response.json() : null;
    } catch {
      return null;
    }
  }
};
