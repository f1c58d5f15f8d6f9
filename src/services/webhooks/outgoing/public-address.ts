import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * The IPv4 networks that are not on the public internet, by the special-purpose registry of IANA (RFC 6890), with
 * multicast, the former class E and the relays of 6to4.
 */
const NOT_PUBLIC_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
] as const;

/** All public IPv6 addresses. Mapped IPv4, NAT64, unique local, link-local and multicast addresses are outside. */
const GLOBAL_V6 = '2000::/3';

/** The parts of it that are not public: protocol assignments with Teredo, documentation, 6to4. */
const NOT_PUBLIC_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'] as const;

const blockedV4 = networks(NOT_PUBLIC_V4, 'ipv4');
const globalV6 = networks([GLOBAL_V6], 'ipv6');
const blockedV6 = networks(NOT_PUBLIC_V6, 'ipv6');

function networks(subnets: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const found = new BlockList();
  for (const subnet of subnets) {
    const [address = '', prefix] = subnet.split('/');
    found.addSubnet(address, Number(prefix), family);
  }
  return found;
}

/**
 * Reports whether a numeric address may be that of any host on the public internet. False for text that is not an
 * address, and for addresses with a zone.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !blockedV4.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return false;
  return globalV6.check(address, 'ipv6') && !blockedV6.check(address, 'ipv6');
}
