import { invalidRequest } from '../core/errors.js';
import { isPlainLine } from '../core/plain-line.js';

/** reference/auth.md 2.2. */
const MAX_REDIRECT_URIS = 10;
const MAX_URI_LENGTH = 2000;
const MAX_NAME_LENGTH = 100;

/** In characters. */
export const MAX_DESCRIPTION_LENGTH = 200;

/** Schemes that a browser would run or show instead of calling an app. */
const FORBIDDEN_SCHEMES: ReadonlySet<string> = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'file:',
  'blob:',
  'about:',
  'filesystem:',
  'view-source:',
]);

/** A URI as it goes into a header: nothing in it ends a line (RFC 3986 2), and browsers read no other URI in it. */
const VISIBLE = /^[!-[\]-~]+$/;

const WEB_PAGE = /^https?:\/\//;

/** Browsers take what has no slashes for a path of the page that leads there. */
const WEB_WITHOUT_HOST = /^https?:(?!\/\/[^/])/i;

/**
 * Throws `invalid-request` for a name that is blank or too long, or that could change the words around it: people are
 * asked whether the app of this name may use their accounts.
 */
export function requireAppName(name: string): void {
  if (name.trim() === '' || [...name].length > MAX_NAME_LENGTH) {
    throw invalidRequest(
      'name',
      [name],
      `The \`name\` of an app must have 1 to ${MAX_NAME_LENGTH} characters`,
    );
  }
  if (!isPlainLine(name)) {
    throw invalidRequest('name', [], 'The `name` of an app must have no control characters');
  }
}

/** Throws `invalid-request` for a description that is too long, or that could change the words around it. */
export function requireDescription(description: string): void {
  if ([...description].length > MAX_DESCRIPTION_LENGTH || !isPlainLine(description)) {
    throw invalidRequest(
      'description',
      [],
      `The \`description\` of an app must be one line of at most ${MAX_DESCRIPTION_LENGTH} characters`,
    );
  }
}

/** Throws `invalid-request` unless it is the address of a web page, or empty. */
export function requireWebsite(website: string): void {
  if (website !== '' && !(WEB_PAGE.test(website) && isRedirectUri(website))) {
    throw invalidRequest(
      'website',
      [website],
      `The website [${website}] is not a web address without a fragment, as https://example.org`,
    );
  }
}

/** Throws `invalid-request` for more than 10 URIs and for one that nothing could be sent back to (RFC 6749 3.1.2). */
export function requireRedirectUris(uris: readonly string[]): void {
  if (uris.length > MAX_REDIRECT_URIS) {
    throw invalidRequest('redirect_uris', uris, `An app can have at most ${MAX_REDIRECT_URIS} redirect URIs`);
  }
  for (const uri of uris) {
    if (!isRedirectUri(uri)) {
      throw invalidRequest(
        'redirect_uris',
        [uri],
        `The redirect URI [${uri}] is not an absolute URI without a fragment`,
      );
    }
  }
}

function isRedirectUri(uri: string): boolean {
  if (uri.length > MAX_URI_LENGTH || !VISIBLE.test(uri) || uri.includes('#')) return false;
  if (WEB_WITHOUT_HOST.test(uri) || !URL.canParse(uri)) return false;
  return !FORBIDDEN_SCHEMES.has(new URL(uri).protocol);
}
