// Keeps the files of the page, so that it works without a network. `cargo xtask web` fills in the list and a number that changes with them.
// A new version of the page takes over when all tabs of the old one are closed: its files belong together.

/** The global object. It is not that of a page, whose types all scripts have. */
const scope = /** @type {ServiceWorkerScope} */ (/** @type {unknown} */ (self));
const { clients, registration } = scope;
/** @type {string[]} */
const FILES = ["@@files@@"];
const PREFIX = `tabiya ${registration.scope} `;
const NAME = `${PREFIX}@@version@@`;

async function keepFiles() {
  const cache = await caches.open(NAME);
  // The browser's own cache may have files of another version, about which it asks the host.
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" })));
}

async function removeOldFiles() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== NAME).map((name) => caches.delete(name)));
  // The page that has installed this worker uses it from now on.
  await clients.claim();
}

/** @param {Request} request */
async function answer(request) {
  const cache = await caches.open(NAME);
  const address = new URL(request.url);
  const path = address.pathname.endsWith("/index.html") ? "./" : request;
  return await cache.match(path, { ignoreSearch: true, ignoreVary: true }) ?? fetch(request);
}

scope.addEventListener("install", (event) => event.waitUntil(keepFiles()));
scope.addEventListener("activate", (event) => event.waitUntil(removeOldFiles()));
scope.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(registration.scope)) event.respondWith(answer(request));
});
