import { isIP } from 'node:net';
import type { AuthRequest } from './auth-request.js';
import { createProxyCheck } from './oauth1/base-urls.js';

/** Names whom attempts are counted against: an IPv4 address, or the /64 that an IPv6 address is in. */
export type ClientAddress = (request: Pick<AuthRequest, 'headers' | 'remoteAddress'>) => string;

const IPV6_NETWORK_GROUPS = 4;

/**
 * The address of who sends a request. `X-Forwarded-For` is believed as far as trusted proxies wrote it: from its end up
 * to the first address that is none of theirs. Throws RangeError for a proxy that is no address or subnet.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isTrusted = createProxyCheck(trustedProxies);
  return ({ headers, remoteAddress }) => {
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    const hops = [...forwarded.map((hop) => hop.trim()).filter((hop) => isIP(hop) !== 0), remoteAddress];
    const client = hops.findLast((hop, index) => index === 0 || !isTrusted(hop));
    return networkOf(client ?? '');
  };
}

function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=[0-9.]+$)/i, '');
  if (isIP(plain) !== 6) return plain;
  const [head = '', tail] = plain.replace(/%.*$/, '').split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after];
  return groups
    .slice(0, IPV6_NETWORK_GROUPS)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':');
}
