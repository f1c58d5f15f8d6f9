import { isIP } from 'node:net';
import type { AuthRequest } from './auth-request.js';
import { createProxyCheck } from './oauth1/base-urls.js';

/** Names whom attempts are counted against: an IPv4 address, or the /64 that an IPv6 address is in. */
export type ClientAddress = (request: Pick<AuthRequest, 'headers' | 'remoteAddress'>) => string;

const IPV6_NETWORK_GROUPS = 4;

/**
 * Tells the address of who sends a request. `X-Forwarded-For`, or without one `Forwarded` (RFC 7239), is believed as far
 * as trusted proxies wrote it: from its end up to the first address that is none of theirs. Where a proxy does not say
 * whom it stands for (`unknown`, `_name`, nonsense), the proxy itself counts as the client: what stands before that could
 * be anybody's invention. Throws RangeError for a proxy that is no address or subnet.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isTrusted = createProxyCheck(trustedProxies);
  return ({ headers, remoteAddress }) => {
    let client = remoteAddress;
    for (const hop of forwardedFor(headers).reverse()) {
      const address = addressOf(hop);
      if (!isTrusted(client) || address === undefined) break;
      client = address;
    }
    return networkOf(client ?? '');
  };
}

/** What proxies wrote of where a request came from, the nearest last. */
function forwardedFor(headers: AuthRequest['headers']): string[] {
  const listed = headers['x-forwarded-for'];
  if (listed !== undefined) return [listed].flat().join(',').split(',');
  return (headers.forwarded ?? '').split(',').map(forOf);
}

/** The `for` of an element of `Forwarded`; empty without one. No address has a comma or an escape. */
function forOf(element: string): string {
  const pairs = element.split(';').map((pair) => pair.split('='));
  const found = pairs.find(([name = '']) => name.trim().toLowerCase() === 'for');
  return found?.[1]?.trim().replace(/^"(.*)"$/, '$1') ?? '';
}

const BRACKETED = /^\[([^\]]*)\](?::\d{1,5})?$/;
const WITH_PORT = /^([^:]*):\d{1,5}$/;

/** The address in `address`, `address:port`, `[v6]` and `[v6]:port`; undefined for all else. */
function addressOf(hop: string): string | undefined {
  const node = hop.trim();
  const address = BRACKETED.exec(node)?.[1] ?? WITH_PORT.exec(node)?.[1] ?? node;
  return isIP(address) === 0 ? undefined : address.split('%', 1)[0];
}

function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=[0-9.]+$)/i, '');
  if (isIP(plain) !== 6) return plain;
  const [head = '', tail] = (plain.split('%', 1)[0] ?? '').split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after];
  return groups
    .slice(0, IPV6_NETWORK_GROUPS)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':');
}
