import { BlockList, isIP } from 'node:net';
import { withoutTrailingSlashes } from '../../core/trailing-slashes.js';
import type { AuthRequest } from '../auth-request.js';

/** The addresses for which a client may have signed. */
export interface PublicAddress {
  /** The configured public URLs, preferred first; a path prefix is kept. */
  readonly baseUrls: readonly string[];
  /** Addresses or subnets (`10.0.0.0/8`) whose forwarding headers are trusted. */
  readonly trustedProxies: readonly string[];
}

/** Returns the distinct base URLs (without the request's path) that a client may have signed, most likely first. */
export type BaseUrlCandidates = (request: AuthRequest) => readonly string[];

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?$/;
const DEFAULT_PORTS = { http: '80', https: '443' } as const;
type Scheme = keyof typeof DEFAULT_PORTS;

/**
 * Creates the list of candidates. A signature covers the URL that the client used
 * (docs/api/authentication.md#credentials), which differs from ours behind TLS termination or another name. In order:
 * the configured URLs, those forwarded by a trusted proxy (`Forwarded`, RFC 7239;
 * `X-Forwarded-Proto`, `X-Forwarded-Host`), and the Host header under both schemes. Throws TypeError for an invalid
 * configured URL, RangeError for a proxy that is not an address or subnet.
 */
export function createBaseUrlCandidates({ baseUrls, trustedProxies }: PublicAddress): BaseUrlCandidates {
  const configured = baseUrls.map(normalizeBaseUrl);
  const isTrusted = createProxyCheck(trustedProxies);
  return (request) => {
    const own: readonly Scheme[] = request.encrypted ? ['https', 'http'] : ['http', 'https'];
    const host = request.headers.host ?? '';
    const candidates = [
      ...configured,
      ...(isTrusted(request.remoteAddress) ? forwardedOrigins(request, host) : []),
      ...own.map((scheme) => originOf(scheme, host)),
    ];
    return [...new Set(candidates)].filter((candidate) => candidate !== undefined);
  };
}

function normalizeBaseUrl(text: string): string {
  const url = new URL(text);
  return url.origin + withoutTrailingSlashes(url.pathname);
}

/** Returns scheme and host as in RFC 5849 3.4.1.2: lower case, no default port; undefined if `host` is invalid. */
function originOf(scheme: Scheme, host: string): string | undefined {
  const match = HOST.exec(host.toLowerCase());
  if (!match) return undefined;
  const [, name, port] = match;
  return port === undefined || port === DEFAULT_PORTS[scheme]
    ? `${scheme}://${name}`
    : `${scheme}://${name}:${port}`;
}

function forwardedOrigins({ headers, encrypted }: AuthRequest, ownHost: string): (string | undefined)[] {
  const standard = parseForwarded(headers.forwarded ?? '');
  const proto = standard.proto ?? firstOf(headers['x-forwarded-proto']);
  const host = standard.host ?? firstOf(headers['x-forwarded-host']);
  if (proto === undefined && host === undefined) return [];
  const scheme = proto?.toLowerCase() ?? (encrypted ? 'https' : 'http');
  return isScheme(scheme) ? [originOf(scheme, host ?? ownHost)] : [];
}

/** Parses `Forwarded`. The first element is from the proxy nearest to the client. */
function parseForwarded(header: string): { proto?: string; host?: string } {
  const found: { proto?: string; host?: string } = {};
  for (const [, name = '', quoted, plain, after] of header.matchAll(
    /\s*([a-z]+)=(?:"([^"\\]*)"|([^\s",;]*))\s*([;,]|$)/giy,
  )) {
    const key = name.toLowerCase();
    if (key === 'proto' || key === 'host') found[key] = quoted ?? plain;
    if (after !== ';') break;
  }
  return found;
}

function firstOf(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  return text?.split(',', 1)[0]?.trim() || undefined;
}

function isScheme(text: string): text is Scheme {
  return text === 'http' || text === 'https';
}

/**
 * Creates a check for the addresses of trusted proxies, given as addresses or subnets. Throws RangeError for others.
 */
export function createProxyCheck(
  trustedProxies: readonly string[],
): (address: string | undefined) => boolean {
  if (trustedProxies.length === 0) return () => false;
  const trusted = new BlockList();
  for (const proxy of trustedProxies) addProxy(trusted, proxy);
  return (address) => {
    const family = isIP(address ?? '');
    return address !== undefined && family !== 0 && trusted.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
}

function addProxy(trusted: BlockList, proxy: string): void {
  const [address = '', prefix] = proxy.split('/');
  const family = isIP(address);
  if (family === 0) throw new RangeError(`trusted proxy ${proxy} is neither an IP address nor a subnet`);
  const bits = family === 6 ? 128 : 32;
  const length = prefix === undefined ? bits : Number(prefix);
  if (!Number.isInteger(length) || length < 0 || length > bits) {
    throw new RangeError(`trusted proxy ${proxy} has no valid prefix length`);
  }
  trusted.addSubnet(address, length, family === 6 ? 'ipv6' : 'ipv4');
}
