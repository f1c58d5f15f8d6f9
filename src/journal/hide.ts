import { hasSecretName, HIDDEN, hideToken, isIdentifying } from '../core/secret-parameters.js';

/** Longer path segments are not ids and may be tokens. */
const MAX_SEGMENT_LENGTH = 40;
const MAX_PATH_LENGTH = 200;
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
  /secret|passw|passphrase|cookie|^authenticity_token$|^(?:access|refresh|bearer|oauth|id)?_?token$|-token$|-key$|apikey$|signature|authorization/i;

/** The parameters that a log may show. */
export interface Shown {
  /** The parameters that the operation declares. */
  readonly declared: ReadonlySet<string>;
  /** Whether to show others too, unless their name indicates a secret; forms may contain private texts. */
  readonly others: boolean;
}

/** Hides long segments of a path for the log. */
export function hidePath(path: string): string {
  const segments = path.split('/').map((segment) => (segment.length > MAX_SEGMENT_LENGTH ? HIDDEN : segment));
  return segments.join('/').slice(0, MAX_PATH_LENGTH);
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

/** Hides secrets in the members of a JSON text, which may be cut. */
export function hideInJson(json: string): string {
  return json.replace(
    /"([^"\\]{1,60})"(\s{0,9}:\s{0,9})"(?:[^"\\]|\\[^])*(?:"|\\?$)/g,
    (member, name: string, colon: string) =>
      SECRET_MEMBER.test(name) ? `"${name}"${colon}"${HIDDEN}"` : member,
  );
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

function hideInUrl(url: string, shown: Shown): string {
  const start = url.indexOf('?');
  return start === -1 ? url : url.slice(0, start + 1) + hideInPairs(url.slice(start + 1), shown);
}

function hideSigned(name: string, value: string, shown: Shown): string {
  if (name === 'oauth_token') return hideToken(value);
  return isIdentifying(name) || isShown(name, shown) ? value : HIDDEN;
}

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
