/** The hosts of X that programs connect to. Requests to them are led to a Pipit server, and requests to no others. */
export const LED_HOSTS = [
  'api.twitter.com',
  'api.x.com',
  'upload.twitter.com',
  'upload.x.com',
  'twitter.com',
  'x.com',
  'www.twitter.com',
  'www.x.com',
] as const;

const LED: ReadonlySet<string> = new Set(LED_HOSTS);

/** Returns a host name without the final dot of absolute names and in lower case. */
export function normalizeHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}

/** Reports whether requests to this host are led. */
export function isLedHost(host: string): boolean {
  return LED.has(normalizeHost(host));
}
