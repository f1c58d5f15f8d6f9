import { BlockList, isIP } from 'node:net';
import { parseDigits } from '../../../core/digits.js';

/** An entry of `--webhooks-to`: hosts that requests may reach although they are not public. */
export interface NamedTarget {
  /** The host in lower case; absent for a network. */
  readonly host?: string;
  /** The addresses; absent for a host. */
  readonly network?: BlockList;
  /** The only port; absent for all ports. */
  readonly port?: number;
}

/** What a request wants to reach. */
export interface Destination {
  /** A host name in lower case without a final dot, or an address without brackets. */
  readonly host: string;
  readonly port: number;
}

const MAX_PORT = 65_535;

/**
 * Parses a host, an address or a network such as `10.0.0.0/8`, each with or without `:port`; addresses of IPv6 with a
 * port are in brackets. Returns undefined for other text.
 */
export function parseNamedTarget(text: string): NamedTarget | undefined {
  const { place, portText } = split(text.trim());
  const port = portText === undefined ? undefined : parseDigits(portText, 1, MAX_PORT);
  if (portText !== undefined && port === undefined) return undefined;
  const found = parseNetwork(place) ?? parseHost(place);
  return found && { ...found, port };
}

function split(text: string): { readonly place: string; readonly portText?: string } {
  const [, inBrackets, after] = /^\[([^\]]*)\](.*)$/.exec(text) ?? [];
  if (inBrackets !== undefined && after !== undefined) {
    // What follows the brackets must be a port.
    if (after === '') return { place: inBrackets };
    return { place: inBrackets, portText: after.startsWith(':') ? after.slice(1) : '' };
  }
  const colons = text.split(':');
  const [place = '', portText] = colons;
  return colons.length === 2 ? { place, portText } : { place: text };
}

function parseNetwork(place: string): NamedTarget | undefined {
  const [address = '', prefixText, ...rest] = place.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return undefined;
  const bits = version === 4 ? 32 : 128;
  const prefix = prefixText === undefined ? bits : parseDigits(prefixText, 0, bits);
  if (prefix === undefined) return undefined;
  const network = new BlockList();
  network.addSubnet(address, prefix, version === 4 ? 'ipv4' : 'ipv6');
  return { network };
}

/** Only names that URLs keep as they are: others would never match. */
function parseHost(place: string): NamedTarget | undefined {
  if (!/^[a-z0-9_][a-z0-9._-]*$/i.test(place) || !URL.canParse(`http://${place}`)) return undefined;
  const host = hostOf(new URL(`http://${place}`));
  return isIP(host) === 0 ? { host } : undefined;
}

/** Returns the host of a URL: without brackets, and without the final dot of a name. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/** Reports whether the setting names a destination by its host; its addresses are then allowed, whatever they are. */
export function isNamedHost(targets: readonly NamedTarget[], { host, port }: Destination): boolean {
  return targets.some((target) => target.host === host && (target.port ?? port) === port);
}

/** Reports whether the setting names an address of a destination. */
export function isNamedAddress(
  targets: readonly NamedTarget[],
  { port }: Pick<Destination, 'port'>,
  address: string,
): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  return targets.some(
    ({ network, port: only = port }) => network?.check(address, family) === true && only === port,
  );
}
