// Installs the service worker, with which the page works without a network.

/** Installs it, where the browser allows it: pages without TLS have none, but for those of this machine. */
export async function installServiceWorker() {
  try {
    await navigator.serviceWorker?.register(new URL("service-worker.js", import.meta.url));
  } catch (error) {
    // The page works as before, with a network.
    // eslint-disable-next-line no-restricted-syntax -- For the console.
    console.info(`The page cannot be used offline: ${error instanceof Error ? error.message : error}`);
  }
}
