// On https only: keeps the table's page and its files, so that they open without the network too. Never keeps
// anything else, and never answers for the server where something is written or asked.
const SHELL = "makiyaku-shell-1";
const PAGES = 4; // kept at most: those opened last
const FILES = /\/(?:static|scripts)\/[\w./-]+/g; // what a page is made of
const PATIENCE = 4000; // ms until a kept page is shown rather than none

const isTablePage = (url) => /\/sessions\/\d+\/tables\/\d+\/play\/$/.test(url.pathname);

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name !== SHELL) await caches.delete(name);
  await self.clients.claim();
})()));

// A page says that it is there: keep it with all its files, and nothing that only older ones were made of.
self.addEventListener("message", (event) => event.waitUntil((async () => {
  const shell = await caches.open(SHELL);
  await shell.add(event.data);
  const page = await shell.match(event.data);
  await shell.addAll([...new Set((await page.text()).match(FILES))]);
  await tidy(shell);
  event.source?.postMessage("kept");
})()));

async function tidy(shell) {
  const kept = await shell.keys();
  const pages = kept.filter(({ url }) => isTablePage(new URL(url))).slice(-PAGES);
  const texts = await Promise.all(pages.map(async (page) => (await shell.match(page)).text()));
  const files = new Set(texts.flatMap((text) => text.match(FILES)));
  const isOld = (each) => !pages.includes(each) && !files.has(new URL(each.url).pathname);
  await Promise.all(kept.filter(isOld).map((each) => shell.delete(each)));
}

// Fetch anew and keep a copy of what is ours and whole.
async function fetchAndKeep(request) {
  const response = await fetch(request);
  if (response.ok && !response.redirected && response.type === "basic") {
    const shell = await caches.open(SHELL);
    await shell.put(request.url, response.clone());
  }
  return response;
}

async function pageFirst(request) {
  const kept = await caches.match(request.url, { cacheName: SHELL });
  if (!kept) return fetchAndKeep(request);
  const late = new Promise((resolve) => setTimeout(() => resolve(kept), PATIENCE));
  return Promise.race([fetchAndKeep(request).catch(() => kept), late]);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (request.mode === "navigate" && isTablePage(url)) event.respondWith(pageFirst(request));
  else if (/^\/(static|scripts)\//.test(url.pathname)) event.respondWith(pageFirst(request));
});
