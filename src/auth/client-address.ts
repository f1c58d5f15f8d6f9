import { isIP } from 'node:net';
import type { AuthRequest } from './auth-request.js';
import { createProxyCheck } from './oauth1/base-urls.js';

/** Returns the address of a client. */
export type ClientAddress = (request: Pick<AuthRequest, 'headers' | 'remoteAddress'>) => string;

const IPV6_NETWORK_GROUPS = 4;

/**
 * Creates a function that returns the address for which attempts are counted: an IPv4 address, or the /64 network of
 * an IPv6 address. Throws RangeError for a proxy that is not an address or subnet.
 */
export function createCountedAddress(trustedProxies: readonly string[]): ClientAddress {
  const addressOfClient = createClientAddress(trustedProxies);
  return (request) => networkOf(addressOfClient(request));
}

/**
 * Creates a function that returns the address of a client. `X-Forwarded-For`, or else `Forwarded` (RFC 7239), is
 * trusted as far as trusted proxies wrote it: from its end to the first other address. If a proxy does not name its
 * client (`unknown`, `_name`, invalid text), the proxy counts as the client, since earlier entries could be forged.
 * Throws RangeError for a proxy that is not an address or subnet.
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
    return plainAddress(client ?? '');
  };
}

/** Returns the forwarding chain of a request, nearest hop last. */
function forwardedFor(headers: AuthRequest['headers']): string[] {
  const listed = headers['x-forwarded-for'];
  if (listed !== undefined) return [listed].flat().join(',').split(',');
  return (headers.forwarded ?? '').split(',').map(forOf);
}

/** Returns the `for` of an element of `Forwarded`, or an empty string. Addresses contain no commas or escapes. */
function forOf(element: string): string {
  const pairs = element.split(';').map((pair) => pair.split('='));
  const found = pairs.find(([name = '']) => name.trim().toLowerCase() === 'for');
  return found?.[1]?.trim().replace(/^"(.*)"$/, '$1') ?? '';
}

const BRACKETED = /^\[([^\]]*)\](?::\d{1,5})?$/;
const WITH_PORT = /^([^:]*):\d{1,5}$/;

/** Returns the address in `address`, `address:port`, `[v6]` or `[v6]:port`; undefined for other text. */
function addressOf(hop: string): string | undefined {
  const node = hop.trim();
  const address = BRACKETED.exec(node)?.[1] ?? WITH_PORT.exec(node)?.[1] ?? node;
  return isIP(address) === 0 ? undefined : address.split('%', 1)[0];
}

/** Returns the address without the form that IPv4 has in IPv6. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=[0-9.]+$)/i, '');
}

function networkOf(plain: string): string {
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
