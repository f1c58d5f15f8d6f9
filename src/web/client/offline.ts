/** Lets the service worker show pages without a connection. Browsers have none outside of secure addresses. */
export function keepOffline(): void {
  if (!('serviceWorker' in navigator)) return;
  // The page works without it, so a refusal is nothing to show.
  navigator.serviceWorker.register('/service-worker.js').catch(() => undefined);
}
