// Back and Reload never ask to send a form again: a page that answers one, because it was refused or to look first, becomes
// an ordinary entry of the history. What was typed there stays in this tab, until the form is accepted: it stands in the
// form again, or, if the page has no such form now, a button sends what was sent.
(() => {
  const { tabStorage } = makiyaku;
  const { answers, mayBeRead } = document.currentScript.dataset;
  const TOKEN = "csrfmiddlewaretoken", SECRETS = ["password", "pin", "code"], SENT = "typed:sent", KEPT = "typed:kept";
  const MOST_KEPT = 10; // pages
  const read = (key) => JSON.parse(tabStorage.get(key) || "null");
  const hasSecret = (names) => names.some((name) => SECRETS.some((secret) => name.includes(secret)));
  const forms = [...document.querySelectorAll("main form")].filter((form) => form.method === "post").map((form) => ({
    form,
    controls: [...form.elements].filter(
      (each) => each.name && each.name !== TOKEN && !["submit", "button", "file"].includes(each.type),
    ),
  })).filter(({ controls }) => controls.length && !hasSecret(controls.map((each) => each.name)));

  const valueOf = (each) => (["checkbox", "radio"].includes(each.type) ? each.checked : each.value);
  const namesOf = (controls) => controls.map((each) => `${each.name}=${["checkbox", "radio"].includes(each.type) ? each.value : ""}`);
  const sent = read(SENT);
  tabStorage.remove(SENT);
  let id = history.state?.typed;
  let posted = null; // what this page answers: address and fields

  function forget(old) {
    tabStorage.remove(`typed:${old}`);
    tabStorage.set(KEPT, JSON.stringify((read(KEPT) ?? []).filter((each) => each !== old)));
  }
  function keep() {
    const typed = forms.map(({ controls }) => ({ names: namesOf(controls), values: controls.map(valueOf) }));
    tabStorage.set(`typed:${id}`, JSON.stringify({ posted, typed }));
  }
  // Lays what was typed into the first form with the same controls; tells whether there is one.
  function fill({ names, values }) {
    const found = forms.find(({ controls }) => String(namesOf(controls)) === String(names));
    found?.controls.forEach((each, at) => {
      if (valueOf(each) === values[at]) return;
      each[typeof values[at] === "boolean" ? "checked" : "value"] = values[at];
      for (let above = each.closest("details"); above; above = above.parentElement.closest("details")) above.open = true;
    });
    return Boolean(found);
  }
  function offer() {
    const box = document.getElementById("typed-again").content.firstElementChild.cloneNode(true);
    const form = box.querySelector("form");
    form.action = posted.action;
    for (const [name, value] of posted.fields) {
      form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    }
    document.getElementById("main").prepend(box);
  }

  if (answers === "POST") {
    posted = sent?.fields ? sent : null;
    id = id ?? `${Date.now()}${Math.random()}`;
    const others = (read(KEPT) ?? []).filter((each) => each !== id);
    others.slice(MOST_KEPT - 1).forEach(forget);
    tabStorage.set(KEPT, JSON.stringify([id, ...others].slice(0, MOST_KEPT)));
    for (const { form } of forms) if (!form.hasAttribute("action")) form.action = location.href;
    const isOurs = document.referrer.startsWith(`${location.origin}/`);
    history.replaceState({ typed: id }, "", mayBeRead || !isOurs ? location.href : document.referrer);
  } else {
    const isNew = performance.getEntriesByType("navigation")[0]?.type === "navigate";
    if (isNew && sent?.from) forget(sent.from); // it was accepted
    const kept = id && read(`typed:${id}`);
    posted = kept?.posted ?? null;
    if (kept && !kept.typed.map(fill).some(Boolean) && posted) offer();
  }
  if (id) { keep(); addEventListener("pagehide", keep); }

  document.addEventListener("submit", ({ target: form, submitter, defaultPrevented }) => {
    if (defaultPrevented || form.method !== "post") return;
    if ("forgetsTyped" in form.dataset) { (read(KEPT) ?? []).forEach(forget); return; }
    const fields = [...new FormData(form)].filter(([name]) => name !== TOKEN);
    if (submitter?.name) fields.push([submitter.name, submitter.value]);
    const isWhole = fields.every(([, value]) => typeof value === "string") && !hasSecret(fields.map(([name]) => name));
    tabStorage.set(SENT, JSON.stringify({ from: id, action: submitter?.formAction || form.action, fields: isWhole ? fields : null }));
  });
})();
