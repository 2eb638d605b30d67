// Back and Reload never ask to send a form again: a page that answers one, because it was refused or to look first, becomes
// an ordinary entry of the history. What was typed there stays in this tab, until the form is accepted: it stands in the
// form again, or, if the page has no such form now, a button sends what was sent, unless that was only a choice of a button.
// What was typed into the other forms of a page, while one was sent, stands in them when its address is shown next.
(() => {
  const { tabStorage } = makiyaku;
  const { answers, mayBeRead } = document.currentScript.dataset;
  const TOKEN = "csrfmiddlewaretoken", SECRETS = ["password", "pin", "code"], SENT = "typed:sent", KEPT = "typed:kept";
  const BESIDE = "typed:beside";
  const MOST_KEPT = 10; // pages
  const read = (key) => JSON.parse(tabStorage.get(key) || "null");
  const hasSecret = (names) => names.some((name) => SECRETS.some((secret) => name.includes(secret)));
  const forms = [...document.querySelectorAll("main form")].filter((form) => form.method === "post").map((form) => ({
    form,
    controls: [...form.elements].filter(
      (each) => each.name && each.name !== TOKEN && !["submit", "button", "file"].includes(each.type),
    ),
  })).filter(({ controls }) => controls.length && !hasSecret(controls.map((each) => each.name)));

  const isBox = (each) => ["checkbox", "radio"].includes(each.type);
  const valueOf = (each) => (isBox(each) ? each.checked : each.value);
  const namesOf = (controls) => controls.map((each) => `${each.name}=${isBox(each) ? each.value : ""}`);
  const contentOf = ({ controls }) => ({ names: namesOf(controls), values: controls.map(valueOf) });
  const hiddenAtFirst = new Map(forms.flatMap(({ controls }) => controls).filter((each) => each.type === "hidden")
    .map((each) => [each, each.value])); // scripts change them, as the board of seats does
  // The value that the server gave the control.
  function givenValueOf(each) {
    if (isBox(each)) return each.defaultChecked;
    if (each.type === "hidden") return hiddenAtFirst.get(each);
    const options = [...(each.options ?? [])];
    return options.length ? (options.find((option) => option.defaultSelected) ?? options[0]).value : each.defaultValue;
  }
  const sent = read(SENT);
  tabStorage.remove(SENT);
  let id = history.state?.typed;
  let posted = null; // what this page answers: address and fields

  function forget(old) {
    tabStorage.remove(`typed:${old}`);
    tabStorage.set(KEPT, JSON.stringify((read(KEPT) ?? []).filter((each) => each !== old)));
  }
  function keep() {
    tabStorage.set(`typed:${id}`, JSON.stringify({ posted, typed: forms.map(contentOf) }));
  }
  // Lays what was typed into the form with the same controls; tells whether there is one. Of several, it is the one about
  // the same thing: hidden fields name it. With `given`, the values before it was typed, all else stays as it is now, unless
  // a typed field has another value by now: then the form names the version that was seen, so that the server notices.
  function fill({ names, values, given }) {
    const alike = forms.filter(({ controls }) => String(namesOf(controls)) === String(names));
    const found = alike.length < 2 ? alike[0] : alike.find(({ controls }) => controls.every(
      (each, at) => each.type !== "hidden" || each.name.startsWith("seen") || each.value === values[at],
    ));
    const isTyped = (each, at) => !given || (each.type !== "hidden" && values[at] !== given[at]);
    const laid = found?.controls.map((each, at) => isTyped(each, at) && valueOf(each) !== values[at]);
    const isOutdated = given && found?.controls.some((each, at) => laid[at] && givenValueOf(each) !== given[at]);
    found?.controls.forEach((each, at) => {
      if (!laid[at] && !(isOutdated && each.type === "hidden")) return;
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
    if (kept && !kept.typed.map(fill).some(Boolean) && posted?.isTyped) offer();
  }
  const beside = read(BESIDE);
  if (beside?.path === location.pathname) {
    const left = beside.typed.filter((each) => !fill(each));
    // A preview has no such form; the page that follows it has.
    if (answers === "POST" && left.length) tabStorage.set(BESIDE, JSON.stringify({ ...beside, typed: left }));
    else tabStorage.remove(BESIDE);
  }
  if (id) { keep(); addEventListener("pagehide", keep); }

  // Whether the form was sent to this page, which refused it or looks first, with what was typed into it.
  const isSent = ({ controls }) => Boolean(posted?.isTyped && String(namesOf(controls)) === posted.names);
  const isChanged = ({ controls }) => controls.some((each) => valueOf(each) !== givenValueOf(each));
  function keepBeside(sentForm) {
    const typed = forms.filter((each) => each.form !== sentForm && (isChanged(each) || isSent(each)))
      .map((each) => ({ ...contentOf(each), given: isSent(each) ? null : each.controls.map(givenValueOf) }));
    if (typed.length) tabStorage.set(BESIDE, JSON.stringify({ path: location.pathname, typed }));
  }

  // The page stays in another language: a preview, which its address alone cannot show, is asked for again, and other pages
  // are loaded again, with what was typed.
  async function changeLanguage(form, { name, value }) {
    const body = new URLSearchParams(new FormData(form));
    body.set(name, value);
    await fetch(form.action, { method: "POST", body, redirect: "manual" });
    const again = answers === "POST" && document.querySelector("main [data-shows-again]");
    if (again) again.form.requestSubmit(again);
    else location.reload();
  }

  document.addEventListener("submit", (event) => {
    const { target: form, submitter, defaultPrevented } = event;
    if (defaultPrevented || form.method !== "post") return;
    if (id && submitter && form.matches(".language form")) {
      event.preventDefault();
      changeLanguage(form, submitter);
      return;
    }
    if ("forgetsTyped" in form.dataset) { (read(KEPT) ?? []).forEach(forget); tabStorage.remove(BESIDE); return; }
    keepBeside(form);
    const fields = [...new FormData(form)].filter(([name]) => name !== TOKEN);
    if (submitter?.name) fields.push([submitter.name, submitter.value]);
    const isWhole = fields.every(([, value]) => typeof value === "string") && !hasSecret(fields.map(([name]) => name));
    const ours = forms.find((each) => each.form === form) ?? { controls: [] };
    const names = String(namesOf(ours.controls)), isTyped = Boolean(posted?.isTyped) || isChanged(ours);
    const action = submitter?.formAction || form.action;
    tabStorage.set(SENT, JSON.stringify({ from: id, action, names, isTyped, fields: isWhole ? fields : null }));
  });
})();
