// Keeps the files of the page, so that it opens without a network: on a static site
// with its solver, on a server to say that the server does not answer. Files are asked
// for at their host first, so that none is older than it need be; answers are never kept.

const KEPT = 'perfectplay';

self.addEventListener('install', (e) => {
  e.waitUntil((async () => {
    const files = await (await fetch('files.json', { cache: 'no-cache' })).json();
    await (await caches.open(KEPT)).addAll(files);
    await self.skipWaiting();
  })());
});

self.addEventListener('activate', (e) => e.waitUntil(self.clients.claim()));

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
