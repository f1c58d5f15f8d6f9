const HIDDEN = 'HIDDEN';

/** Longer steps of a path are no ids but may be tokens. */
const LONGEST_STEP = 40;
const MAX_PATH_LENGTH = 200;
const MAX_PAIRS = 40;
const MAX_NAME_LENGTH = 60;
const MAX_VALUE_LENGTH = 300;
/** What is kept of a token: enough to tell whose it is. */
const TOKEN_PREFIX_LENGTH = 8;

/** Names of values that open something, whatever else they are. */
const SECRET_NAME = /pass|secret|token|code|verifier|signature|auth|key|session|state/i;

/** What identifies a signed request, and opens nothing. Clients by mistake sign secrets, too, as `oauth_token_secret`. */
const PROTOCOL_NAMES: ReadonlySet<string> = new Set([
  'oauth_body_hash',
  'oauth_callback',
  'oauth_consumer_key',
  'oauth_nonce',
  'oauth_signature_method',
  'oauth_timestamp',
  'oauth_version',
]);

/** Which parameters a log may show. */
export interface Shown {
  /** Those that the operation declares. */
  readonly declared: ReadonlySet<string>;
  /** Whether to show others too, unless their name sounds like a secret: forms may hold texts. */
  readonly others: boolean;
}

/** A path as a log may have it. */
export function hidePath(path: string): string {
  const steps = path.split('/').map((step) => (step.length > LONGEST_STEP ? HIDDEN : step));
  return steps.join('/').slice(0, MAX_PATH_LENGTH);
}

/** A query as a log may have it: names, and the values that may be shown. */
export function hideQuery(query: string, shown: Shown): string {
  return hidePairs(query, (name, value) => (isShown(name, shown) ? value : HIDDEN));
}

/**
 * The base string of a signature (RFC 5849 3.4.1) as a log may have it. What identifies the request stays; of the token
 * its beginning, of parameters that are not OAuth's the values that may be shown.
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

/** The text may have been cut in the middle of an escape. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replace(/%[0-9A-F]?$/i, ''));
  } catch {
    return '';
  }
}
