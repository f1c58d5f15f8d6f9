import { isIP } from 'node:net';
import { parseDigits } from '../core/digits.js';
import { withoutTrailingSlashes } from '../core/trailing-slashes.js';

/** Texts of settings. Each function returns undefined for an invalid text. */

/** `standard`: as declared. A number multiplies every limit. `off`: no limits. */
export type RateLimits = 'standard' | 'off' | number;

/** `off`: no metrics. `public`: `/metrics` on the server's own port. Otherwise a separate address. */
export type MetricsPlace = 'off' | 'public' | { readonly host: string; readonly port: number };

export const MAX_PORT = 65_535;

export const MIB = 1024 ** 2;

export const HOUR_MS = 3_600_000;
const MAX_HOURS = 365 * 24;

const SIZE_UNITS: Readonly<Record<string, number>> = { MB: MIB, GB: 1024 ** 3, TB: 1024 ** 4 };

/** Returns the URL without trailing slashes. */
export function parseBaseUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  const isPlain = url?.search === '' && url.hash === '' && url.username === '';
  return url && isWeb && isPlain ? url.origin + withoutTrailingSlashes(url.pathname) : undefined;
}

/** Returns the size in bytes. */
export function parseSize(text: string): number | undefined {
  if (text === 'off') return Number.MAX_SAFE_INTEGER;
  const [, digits = '', unit = ''] = /^([0-9]{1,6})(MB|GB|TB)$/i.exec(text) ?? [];
  const factor = SIZE_UNITS[unit.toUpperCase()];
  return factor === undefined ? undefined : Number(digits) * factor;
}

/** Reports whether a text is an address or a subnet. */
export function isAddressOrSubnet(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const kind = isIP(address);
  if (kind === 0 || rest.length > 0) return false;
  return prefix === undefined || parseDigits(prefix, 0, kind === 4 ? 32 : 128) !== undefined;
}

/** Parses a mode of rate limits. */
export function parseRateLimits(text: string): RateLimits | undefined {
  if (text === 'standard' || text === 'off') return text;
  const factor = /^[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : 0;
  return factor > 0 && Number.isFinite(factor) ? factor : undefined;
}

/** Parses a number of hours or days, such as `36h` or `7d`. */
export function parseDuration(text: string): number | undefined {
  const [, digits = '', unit] = /^([0-9]{1,4})([hd])$/.exec(text) ?? [];
  const hours = Number(digits) * (unit === 'd' ? 24 : 1);
  return hours >= 1 && hours <= MAX_HOURS ? hours * HOUR_MS : undefined;
}

/** Parses the address for metrics. The host defaults to loopback, since metrics disclose internal information. */
export function parseMetricsPlace(text: string): MetricsPlace | undefined {
  if (text === 'off' || text === 'public') return text;
  const [, host, port = ''] = /^(?:(.+):)?([^:]+)$/.exec(text) ?? [];
  const number = parseDigits(port, 1, MAX_PORT);
  return number === undefined
    ? undefined
    : { host: host?.replace(/^\[(.*)\]$/, '$1') ?? '127.0.0.1', port: number };
}
