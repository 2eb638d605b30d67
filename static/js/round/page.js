// The form for a round on a page of its own. A draft survives a reload: it is stored in the tab, by the version that it
// replaces, until it is submitted.
(() => {
  const form = document.querySelector("form[data-preview]");
  const key = `${location.pathname} ${form.elements.seen.value}`;
  const draft = makiyaku.tabStorage.get(key);
  makiyaku.form = new makiyaku.RoundForm(form, { changed: () => makiyaku.tabStorage.set(key, JSON.stringify(makiyaku.form.typedSoFar())) });
  const edited = form.elements.reason ? makiyaku.form.facts().deals?.length ?? 0 : 0; // a correction opens there
  makiyaku.form.deals.edited = edited;
  if (draft && !form.querySelector(".has-error")) makiyaku.form.fill(JSON.parse(draft), edited);
  form.addEventListener("submit", () => makiyaku.tabStorage.remove(key));
})();
