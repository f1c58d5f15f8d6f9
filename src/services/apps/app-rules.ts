import { type Violation, refuseViolations, violation } from '../../core/errors.js';
import { APP_LIMITS } from '../../core/limits.js';
import { isPlainLine, isVisible } from '../../core/plain-line.js';
import { countCodePoints } from '../../core/unicode.js';
import type { AppChanges } from '../../stores/apps.js';

/** Schemes that a browser would execute or display instead of calling an app. */
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

/**
 * Characters allowed in a URI header: no line breaks (RFC 3986, section 2), and no backslash, which browsers read as
 * a slash.
 */
const VISIBLE = /^[!-[\]-~]+$/;

const WEB_PAGE = /^https?:\/\//;

/** Browsers resolve an http URI without slashes relative to the current page. */
const WEB_WITHOUT_HOST = /^https?:(?!\/\/[^/])/i;

/** The description of an app and its redirect URIs; only the given members are checked. */
export type AppInput = Pick<AppChanges, 'name' | 'description' | 'website' | 'redirectUris'>;

/** Throws `invalid-request` with every violation of the rules for apps. */
export function requireAppRules({ name, description, website, redirectUris }: AppInput): void {
  refuseViolations([
    ...(name === undefined ? [] : nameFaults(name)),
    ...descriptionFaults(description ?? ''),
    ...websiteFaults(website ?? ''),
    ...redirectUriFaults(redirectUris ?? []),
  ]);
}

/** Refuses names that could alter the text of consent pages. */
function nameFaults(name: string): Violation[] {
  if (!isVisible(name) || countCodePoints(name) > APP_LIMITS.name) {
    return [violation('name', [], `The name of an app must have 1 to ${APP_LIMITS.name} characters.`)];
  }
  if (isPlainLine(name)) return [];
  return [violation('name', [], 'The name of an app must not contain control or invisible characters.')];
}

function descriptionFaults(description: string): Violation[] {
  if (countCodePoints(description) <= APP_LIMITS.description && isPlainLine(description)) return [];
  const message = `The description of an app must be one line of at most ${APP_LIMITS.description} visible characters.`;
  return [violation('description', [], message)];
}

function websiteFaults(website: string): Violation[] {
  if (website === '' || (WEB_PAGE.test(website) && isRedirectUri(website))) return [];
  const message = `The website [${website}] must be a web address without a fragment, such as https://example.org.`;
  return [violation('website', [website], message)];
}

/** Refuses more than 10 URIs, and URIs that cannot receive a redirect (RFC 6749, section 3.1.2). */
function redirectUriFaults(uris: readonly string[]): Violation[] {
  if (uris.length > APP_LIMITS.redirectUris) {
    return [
      violation('redirect_uris', uris, `An app can have at most ${APP_LIMITS.redirectUris} redirect URIs.`),
    ];
  }
  const wrong = uris.find((uri) => !isRedirectUri(uri));
  if (wrong === undefined) return [];
  const message = `The redirect URI [${wrong}] must be an absolute URI without a fragment, such as https://example.org/back.`;
  return [violation('redirect_uris', [wrong], message)];
}

function isRedirectUri(uri: string): boolean {
  if (uri.length > APP_LIMITS.uri || !VISIBLE.test(uri) || uri.includes('#')) return false;
  if (WEB_WITHOUT_HOST.test(uri) || !URL.canParse(uri)) return false;
  return !FORBIDDEN_SCHEMES.has(new URL(uri).protocol);
}
