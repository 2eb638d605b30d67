// The form for a round on a page of its own. What is half typed outlives a reload: kept in this tab for the version it
// was typed over, until it is sent.
(() => {
  const form = document.querySelector("form[data-preview]");
  const key = `${location.pathname} ${form.elements.seen.value}`;
  const kept = makiyaku.tab.kept(key);
  makiyaku.form = new makiyaku.RoundForm(form, { changed: () => makiyaku.tab.keep(key, JSON.stringify(makiyaku.form.typedSoFar())) });
  makiyaku.form.deals.edited = form.elements.reason ? makiyaku.form.facts().deals?.length ?? 0 : 0; // a correction opens there
  if (kept && !form.querySelector(".has-error")) makiyaku.form.fill(JSON.parse(kept));
  form.addEventListener("submit", () => makiyaku.tab.forget(key));
})();
