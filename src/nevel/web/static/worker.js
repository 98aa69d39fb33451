// Keeps the looks and one page for when there is no network. Tables are never kept: a stale one would be a lie.
self.addEventListener("install", (event) => {
  self.skipWaiting();
  // What somebody does goes past here, straight to the server, where the browser can do that.
  event.addRoutes?.({ condition: { requestMethod: "POST" }, source: "network" });
  event.waitUntil(caches.open(told.version).then((cache) => cache.addAll([...told.files, "/offline"])));
});
self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys().then((names) => Promise.all(names.filter((name) => name !== told.version).map((name) => caches.delete(name)))),
  );
});
self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  if (event.request.mode === "navigate") event.respondWith(fetch(event.request).catch(() => caches.match("/offline")));
  else if (told.files.some((file) => event.request.url.endsWith(file))) event.respondWith(caches.match(event.request).then((found) => found ?? fetch(event.request)));
});
