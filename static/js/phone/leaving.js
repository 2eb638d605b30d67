// Leaving the page: without the network there is no way back to it, so Back, a reload and links ask first.
//
// The page has two entries in the browser's history. Back leads from the upper one to the lower, where the page decides
// whether to go on. If a reload has failed, Back loads the lower entry from the browser's cache.
makiyaku.Leaving = class {
  constructor({ table, requests, outbox }) {
    Object.assign(this, { table, requests, outbox });
    this.isLeaving = false; // the server has answered, or somebody has confirmed
  }

  static TIMEOUT = 4000; // ms until a server that does not answer counts as away

  start() {
    const arm = () => { if (!history.state?.isUpper) history.pushState({ isUpper: true }, ""); };
    arm();
    document.addEventListener("click", arm); // browsers skip entries that were made without a tap
    window.addEventListener("popstate", () => { if (!history.state?.isUpper) this.wentBack(); });
    window.addEventListener("pageshow", () => { this.isLeaving = false; });
    window.addEventListener("beforeunload", (event) => { if (this.mayLose()) event.preventDefault(); });
  }

  hasUnsent() { return this.table.unsent().some((item) => !this.table.isDisputed(item)); }

  // Whether unloading the page may lose what was typed, or the page itself.
  mayLose() { return this.outbox.store.hasUnstored() || (!this.isLeaving && (!navigator.onLine || this.hasUnsent())); }

  // Back closes what is open over the page, or leaves it.
  async wentBack() {
    const open = document.querySelector("dialog[open]");
    if (open) open.close("no");
    else if (await this.isConfirmed()) { this.isLeaving = true; history.back(); return; }
    history.forward();
  }

  async isConfirmed() {
    if (!this.hasUnsent() && (await this.isServerThere())) return true;
    return (await makiyaku.openDialog("leave")) === "yes";
  }

  async isServerThere() {
    const late = new Promise((resolve) => setTimeout(resolve, makiyaku.Leaving.TIMEOUT));
    return navigator.onLine && Boolean(await Promise.race([this.requests.table(), late]));
  }

  // Leave by a link or a form of the page, if the server answers.
  async leaveBy(go) {
    if (!(await this.isServerThere())) { makiyaku.openDialog("no-network"); return; }
    this.isLeaving = true;
    go();
  }
};
