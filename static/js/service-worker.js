// On https only: keeps the table's page and its files, so that they open without the network too. Never keeps
// anything else, and never answers for the server where something is written or asked.
const SHELL = "makiyaku-shell-1";
const PATIENCE = 4000; // ms until a kept page is shown rather than none

const isTablePage = (url) => /\/sessions\/\d+\/tables\/\d+\/play\/$/.test(url.pathname);

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name !== SHELL) await caches.delete(name);
  await self.clients.claim();
})()));

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
