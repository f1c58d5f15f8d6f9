const HIDDEN = 'HIDDEN';

/** Longer path segments are not ids and may be tokens. */
const MAX_SEGMENT_LENGTH = 40;
const MAX_PATH_LENGTH = 200;
const MAX_PAIRS = 40;
const MAX_NAME_LENGTH = 60;
const MAX_VALUE_LENGTH = 300;
/** How much of a token is kept: enough to identify it. */
const TOKEN_PREFIX_LENGTH = 8;

/** Parameter names that indicate secrets. */
const SECRET_NAME = /pass|secret|token|code|verifier|signature|auth|key|session|state/i;

/**
 * Parameters that identify a signed request and are not secret. Some clients also sign secrets by mistake, such as
 * `oauth_token_secret`.
 */
const PROTOCOL_NAMES: ReadonlySet<string> = new Set([
  'oauth_body_hash',
  'oauth_callback',
  'oauth_consumer_key',
  'oauth_nonce',
  'oauth_signature_method',
  'oauth_timestamp',
  'oauth_version',
]);

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
  return hidePairs(query, (name, value) => (isShown(name, shown) ? value : HIDDEN));
}

/**
 * Hides secrets in a base string (RFC 5849 3.4.1) for the log. Keeps identifying parameters, the start of the token,
 * and of other parameters the values that may be shown.
 */
export function hideInBaseString(baseString: string, shown: Shown): string {
  const [method = '', url = '', encoded = ''] = baseString.split('&');
  const pairs = hidePairs(decode(encoded), (name, value) => {
    if (name === 'oauth_token') return value.slice(0, TOKEN_PREFIX_LENGTH) + HIDDEN;
    return PROTOCOL_NAMES.has(name) || isShown(name, shown) ? value : HIDDEN;
  });
  return `${method}&${url}&${encodeURIComponent(pairs)}`;
}

function isShown(name: string, { declared, others }: Shown): boolean {
  return declared.has(name) || (others && !SECRET_NAME.test(name));
}

function hidePairs(text: string, show: (name: string, value: string) => string): string {
  if (text === '') return '';
  const parts = text.split('&', MAX_PAIRS + 1).map((part) => {
    const end = part.indexOf('=');
    if (end < 0) return part.length > MAX_NAME_LENGTH ? HIDDEN : part;
    const name = part.slice(0, Math.min(end, MAX_NAME_LENGTH));
    return `${name}=${show(name, part.slice(end + 1)).slice(0, MAX_VALUE_LENGTH)}`;
  });
  return parts.slice(0, MAX_PAIRS).join('&');
}

/** Decodes a text that may be truncated in the middle of an escape. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replace(/%[0-9A-F]?$/i, ''));
  } catch {
    return '';
  }
}
