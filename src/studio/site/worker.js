// @ts-check
// The site without a network: what everyone needs is kept when the site is first opened, and other pages when they are
// read. The line before this one has the name of the cache, which is another for each release, and what is needed.
{
  const worker = /** @type {any} */ (self), { name, needed } = worker.site;

  const answer = async (request) => {
    const cache = await caches.open(name);
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    const reply = await fetch(request);
    if (reply.ok) await cache.put(request, reply.clone());
    return reply;
  };

  const keepNeeded = async () => {
    await (await caches.open(name)).addAll(needed);
    await worker.skipWaiting();
  };

  const dropOthers = async () => {
    const others = (await caches.keys()).filter((one) => one.startsWith("enfilade-") && one !== name);
    await Promise.all(others.map((one) => caches.delete(one)));
    await worker.clients.claim();
  };

  worker.addEventListener("install", (event) => event.waitUntil(keepNeeded()));
  worker.addEventListener("activate", (event) => event.waitUntil(dropOthers()));
  worker.addEventListener("fetch", (event) => {
    if (event.request.method === "GET" && new URL(event.request.url).origin === location.origin) event.respondWith(answer(event.request));
  });
}
