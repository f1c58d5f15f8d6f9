import { hasSecretName, HIDDEN, hideToken, isIdentifying } from '../core/secret-parameters.js';
import { hideInPath } from './hide-path.js';

const MAX_NAME_LENGTH = 60;

/** How much of a list of parameters is kept. */
interface Size {
  readonly maxPairs: number;
  readonly maxValueLength: number;
}

/** Enough for a line of the log. */
const OF_A_LINE: Size = { maxPairs: 40, maxValueLength: 300 };
/** More pairs than a recorded body has room for. */
const WHOLE: Size = { maxPairs: 100_000, maxValueLength: Infinity };

/** Names of JSON members and headers that contain secrets: narrower, as answers have members such as `author_id`. */
const SECRET_MEMBER =
  /secret|passw|passphrase|cookie|assertion|verifier|^code$|^authenticity_token$|^(?:access|refresh|bearer|oauth|id)?_?tokens?$|-token$|-key$|apikey$|sandbox_?key$|signature|authorization/i;

/** The parameters that a log may show. */
export interface Shown {
  /** The parameters that the operation declares. */
  readonly declared: ReadonlySet<string>;
  /** Whether to show others too, unless their name indicates a secret; forms may contain private texts. */
  readonly others: boolean;
  /** Whether paths of URLs may contain secrets, as those of webhooks do. */
  readonly hidesInUrlPaths?: boolean;
  /** How many URLs this one is inside of. */
  readonly depth?: number;
}

/** Reports whether a member of JSON is secret by its name. */
export function isSecretMember(name: string): boolean {
  return SECRET_MEMBER.test(name);
}

/** Hides the values of a query for the log, except those that may be shown. */
export function hideQuery(query: string, shown: Shown): string {
  return hidePairs(query, (name, value) => (isShown(name, shown) ? value : HIDDEN), OF_A_LINE);
}

/**
 * Hides secrets in a base string (RFC 5849 3.4.1) for the log. Keeps identifying parameters, the start of the token,
 * and of other parameters the values that may be shown.
 */
export function hideInBaseString(baseString: string, shown: Shown): string {
  const [method = '', url = '', encoded = ''] = baseString.split('&');
  const pairs = hidePairs(decode(encoded), (name, value) => hideSigned(name, value, shown), OF_A_LINE);
  return `${method}&${url}&${encodeURIComponent(pairs)}`;
}

/** Hides secrets in a query or a form as `hideInBaseString` does, and keeps its whole length. */
export function hideInPairs(pairs: string, shown: Shown): string {
  return hidePairs(pairs, (name, value) => hideSigned(name, value, shown), WHOLE);
}

/** Reports whether a multipart form has a part whose name indicates a secret. */
export function hasSecretPart(body: Buffer): boolean {
  const names = body.toString('latin1').matchAll(/[; ]name="([^"\r\n]{1,200})"/gi);
  return [...names].some(([, name = '']) => hasSecretName(name));
}

/** Hides secrets in the value of a header, whose name is in lower case. */
export function hideInHeader(name: string, value: string, shown: Shown): string {
  if (name.endsWith('authorization')) return hideCredentials(value, shown);
  if (name === 'cookie') return value.replaceAll(/=[^;]*/g, `=${HIDDEN}`);
  if (name === 'set-cookie') return value.replace(/=[^;]*/, `=${HIDDEN}`);
  if (name === 'location' || name === 'referer') return hideInUrl(value, shown);
  return SECRET_MEMBER.test(name) ? HIDDEN : value;
}

/** Hides the secrets of an Authorization header. Keeps the start of a token, and what identifies a signed request. */
function hideCredentials(value: string, shown: Shown): string {
  const end = value.indexOf(' ');
  const scheme = end === -1 ? '' : value.slice(0, end);
  const rest = value.slice(end + 1).trim();
  if (/^bearer$/i.test(scheme)) return `${scheme} ${hideToken(rest)}`;
  if (!/^oauth$/i.test(scheme)) return `${scheme} ${HIDDEN}`.trim();
  const params = rest.split(',').map((part) => {
    const [name = '', ...values] = part.trim().split('=');
    // Some clients send a token without a name.
    if (values.length === 0) return HIDDEN;
    return `${name}="${hideSigned(name, values.join('=').replaceAll('"', ''), shown)}"`;
  });
  return `${scheme} ${params.join(', ')}`;
}

/** Hides secrets in a URL or a path: its user and password, and parameters by their names. */
export function hideInUrl(url: string, shown: Shown): string {
  const [, base = '', query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(?:#([^]*))?$/.exec(url) ?? [];
  const open = base.replace(/^([a-z][a-z0-9+.-]{0,30}:)?\/\/[^/@]*@/i, `$1//${HIDDEN}@`);
  return [
    shown.hidesInUrlPaths ? hideAfterHost(open) : open,
    ...(query === '' ? [] : ['?', hideInPairs(query, shown)]),
    ...(fragment === '' ? [] : ['#', fragment.includes('=') ? hideInPairs(fragment, shown) : fragment]),
  ].join('');
}

function hideAfterHost(url: string): string {
  const host = url.indexOf('//');
  const start = host === -1 ? 0 : url.indexOf('/', host + 2);
  return start === -1 ? url : url.slice(0, start) + hideInPath(url.slice(start));
}

function hideSigned(name: string, value: string, shown: Shown): string {
  if (name === 'oauth_token') return hideToken(value);
  return isIdentifying(name) || isShown(name, shown) ? hideInUrlValue(value, shown) : HIDDEN;
}

/** A value that is a path or a URL with further parts, in which secrets may be. */
const URL_VALUE = /^(?:[a-z][a-z0-9+.-]{0,30}:\/)?\/[^]*[?#@/]/i;

/** Hides secrets in a value that is a URL, such as where a browser returns to. */
function hideInUrlValue(value: string, shown: Shown): string {
  const url = decode(value) || value;
  if (!URL_VALUE.test(url)) return value;
  const { depth = 0 } = shown;
  if (depth >= MAX_URL_DEPTH) return HIDDEN;
  const hidden = hideInUrl(url, { ...shown, declared: NONE, depth: depth + 1 });
  return hidden === url ? value : encodeURIComponent(hidden);
}

/** URLs inside URLs are read this deep. */
const MAX_URL_DEPTH = 3;

const NONE: ReadonlySet<string> = new Set();

function isShown(name: string, { declared, others }: Shown): boolean {
  return declared.has(name) || (others && !hasSecretName(name));
}

function hidePairs(
  text: string,
  show: (name: string, value: string) => string,
  { maxPairs, maxValueLength }: Size,
): string {
  if (text === '') return '';
  const parts = text.split('&', maxPairs + 1).map((part) => {
    const end = part.indexOf('=');
    if (end < 0) return part.length > MAX_NAME_LENGTH ? HIDDEN : part;
    const name = part.slice(0, Math.min(end, MAX_NAME_LENGTH));
    return `${name}=${show(decode(name) || name, part.slice(end + 1)).slice(0, maxValueLength)}`;
  });
  return parts.slice(0, maxPairs).join('&');
}

/** Decodes a text that may be truncated in the middle of an escape. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replace(/%[0-9A-F]?$/i, ''));
  } catch {
    return '';
  }
}
