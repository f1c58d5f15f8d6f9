import { ORIGINAL_HOSTS } from '../core/original-hosts.js';

const LED: ReadonlySet<string> = new Set(ORIGINAL_HOSTS);

/** Returns a host name without the final dot of absolute names and in lower case. */
export function normalizeHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}

/** Reports whether requests to this host are led to a Pipit server; those to others are not. */
export function isLedHost(host: string): boolean {
  return LED.has(normalizeHost(host));
}
