// Keeps the files of the page, so that it opens without a network: on a static site with its
// solver, on a server to say that the server does not answer. It asks the host for each file
// first, and never keeps answers. The version changes with any file of the page: the browser
// then installs this file again, and the caches of older versions go.

const OWN = `perfectplay ${self.registration.scope} `; // other pages of the origin have caches too
const KEPT = OWN + 'VERSION';

self.addEventListener('install', (e) => {
  e.waitUntil((async () => {
    const files = await (await fetch('files.json', { cache: 'no-cache' })).json();
    await (await caches.open(KEPT)).addAll(files.map((name) => new Request(name, { cache: 'no-cache' })));
    await self.skipWaiting();
  })());
});

self.addEventListener('activate', (e) => {
  e.waitUntil((async () => {
    const old = (await caches.keys()).filter((name) => name !== KEPT && name.startsWith(OWN));
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  })());
});

self.addEventListener('fetch', (e) => {
  const { request } = e;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin || url.pathname.includes('/api/')) return;
  e.respondWith((async () => {
    const cache = await caches.open(KEPT);
    let response;
    try {
      response = await fetch(request);
    } catch {
      return await cache.match(request, { ignoreSearch: true }) ?? Response.error();
    }
    // What stands behind ? is the page's own: a file is kept once.
    if (response.ok) e.waitUntil(cache.put(url.origin + url.pathname, response.clone()));
    return response;
  })());
});
