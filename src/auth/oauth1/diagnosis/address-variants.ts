import { ORIGINAL_HOSTS } from '../../../core/original-hosts.js';
import { encodePercent, decodePercent } from '../percent.js';
import type { Variant } from './variant.js';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const;

/** The names of this machine in addresses; clients confuse them. */
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]', '0.0.0.0'] as const;

/** Returns the methods that a client may have signed, the right one first. */
export function methodVariants(method: string): Variant[] {
  const right = method.toUpperCase();
  return [
    { text: right },
    { text: right.toLowerCase(), mistake: `signed the method as ${right.toLowerCase()} instead of ${right}` },
    ...METHODS.filter((other) => other !== right).map((other) => ({
      text: other,
      mistake: `signed the method ${other} instead of ${right}`,
    })),
  ];
}

/**
 * Returns the origins that a client may have signed: those that the server accepts first, then wrong ones. `accepted`
 * may have path prefixes. `host` is the Host header as sent.
 */
export function originVariants(accepted: readonly string[], host: string): Variant[] {
  const right = accepted.map((text) => ({ text }));
  const [first] = accepted;
  if (first === undefined) return [];
  const wrong = [
    ...ORIGINAL_HOSTS.map((name) => `https://${name}`),
    ...accepted.flatMap(relatedOrigins),
    ...ORIGINAL_HOSTS.map((name) => `http://${name}`),
    ...(host === host.toLowerCase() ? [] : [`http://${host}`, `https://${host}`]),
  ];
  const distinct = [...new Set(wrong)].filter((text) => !accepted.includes(text));
  return [
    ...right,
    ...distinct.map((text) => ({ text, mistake: `signed the address ${text} instead of ${first}` })),
  ];
}

/** Returns other spellings of an origin: without its port or path, with a default port, with another local name. */
function relatedOrigins(origin: string): string[] {
  const url = new URL(origin);
  const { protocol, hostname, port, pathname } = url;
  const other = protocol === 'https:' ? 'http:' : 'https:';
  const locals = (LOCAL_HOSTS as readonly string[]).includes(hostname) ? LOCAL_HOSTS : [];
  const suffix = port === '' ? '' : `:${port}`;
  return [
    `${protocol}//${hostname}`,
    `${protocol}//${hostname}:${protocol === 'https:' ? '443' : '80'}`,
    `${other}//${hostname}${suffix}`,
    ...(pathname === '/' ? [] : [url.origin]),
    ...locals.flatMap((name) => [`${protocol}//${name}${suffix}`, `${protocol}//${name}`]),
  ];
}

/** Returns the paths that a client may have signed, the right one first. `query` is the query as sent. */
export function pathVariants(path: string, query: string): Variant[] {
  const slashless = path.replace(/\/$/, '');
  const decoded = decodePercent(path);
  return [
    { text: path },
    { text: `${path}?${query}`, mistake: 'signed the query as a part of the address' },
    path.endsWith('/')
      ? { text: slashless, mistake: 'signed the path without its slash at the end' }
      : { text: `${path}/`, mistake: 'signed the path with a slash at the end' },
    { text: withoutVersion(path), mistake: 'signed the path without its first segment' },
    { text: '', mistake: 'signed the address without the path' },
    { text: decoded ?? path, mistake: 'signed the path without its escapes' },
    { text: path.split('/').map(encodePercent).join('/'), mistake: 'escaped the path once more' },
    { text: path.replaceAll(/\/{2,}/g, '/'), mistake: 'signed the path without its double slash' },
    { text: path.replace(/^\//, '//'), mistake: 'signed the path with a double slash' },
    { text: path.toLowerCase(), mistake: 'signed the path in lower case' },
    path.endsWith('.json')
      ? { text: path.slice(0, -'.json'.length), mistake: 'signed the path without .json' }
      : { text: `${path}.json`, mistake: 'signed the path with .json at the end' },
  ];
}

function withoutVersion(path: string): string {
  const end = path.indexOf('/', 1);
  return end < 0 ? path : path.slice(end);
}
