// Over https only: caches the table's page and its files, so that they open offline. Caches nothing else, and handles no
// requests of the API.
const SHELL = "makiyaku-shell-1";
const PAGES = 4; // cached at most: those opened last
const FILES = /\/(?:static|scripts)\/[\w./-]+/g; // the files of a page
const TIMEOUT = 4000; // ms until the cached page is shown

const isTablePage = (url) => /\/sessions\/\d+\/tables\/\d+\/play\/$/.test(url.pathname);

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name !== SHELL) await caches.delete(name);
  await self.clients.claim();
})()));

// A page sends its address once it is loaded: cache it with all its files, and delete those of older ones.
self.addEventListener("message", (event) => event.waitUntil((async () => {
  const shell = await caches.open(SHELL);
  await shell.add(event.data);
  const page = await shell.match(event.data);
  await shell.addAll([...new Set((await page.text()).match(FILES))]);
  await deleteUnused(shell);
  event.source?.postMessage("kept");
})()));

async function deleteUnused(shell) {
  const cached = await shell.keys();
  const pages = cached.filter(({ url }) => isTablePage(new URL(url))).slice(-PAGES);
  const texts = await Promise.all(pages.map(async (page) => (await shell.match(page)).text()));
  const files = new Set(texts.flatMap((text) => text.match(FILES)));
  const isOld = (each) => !pages.includes(each) && !files.has(new URL(each.url).pathname);
  await Promise.all(cached.filter(isOld).map((each) => shell.delete(each)));
}

// Cache complete responses of our own server only.
async function fetchAndCache(request) {
  const response = await fetch(request);
  if (response.ok && !response.redirected && response.type === "basic") {
    const shell = await caches.open(SHELL);
    await shell.put(request.url, response.clone());
  }
  return response;
}

async function networkFirst(request) {
  const cached = await caches.match(request.url, { cacheName: SHELL });
  if (!cached) return fetchAndCache(request);
  const late = new Promise((resolve) => setTimeout(() => resolve(cached), TIMEOUT));
  return Promise.race([fetchAndCache(request).catch(() => cached), late]);
}

// For files, whose addresses contain the hash of their contents: a newer server does not have those of a cached page.
async function cacheFirst(request) {
  return await caches.match(request.url, { cacheName: SHELL }) ?? fetchAndCache(request);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (request.mode === "navigate" && isTablePage(url)) event.respondWith(networkFirst(request));
  else if (/^\/(static|scripts)\//.test(url.pathname)) event.respondWith(cacheFirst(request));
});
