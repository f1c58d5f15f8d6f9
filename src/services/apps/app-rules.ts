import type { Violation } from '../../core/errors.js';
import { isPlainLine, isVisible } from '../../core/plain-line.js';
import { fault, refuseFaults } from '../accounts/account-rules.js';

/** docs/api/authentication.md#three-legged-flow. */
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

/** What an app says of itself and where it sends people back to, as far as it is given. */
export interface AppInput {
  readonly name?: string;
  readonly description?: string;
  readonly website?: string;
  readonly redirectUris?: readonly string[];
}

/** Throws `invalid-request` with everything that is wrong with an app. */
export function requireAppRules({ name, description, website, redirectUris }: AppInput): void {
  refuseFaults([
    ...(name === undefined ? [] : nameFaults(name)),
    ...descriptionFaults(description ?? ''),
    ...websiteFaults(website ?? ''),
    ...redirectUriFaults(redirectUris ?? []),
  ]);
}

/** A name that could change the words around it is refused: people are asked whether this app may use their accounts. */
function nameFaults(name: string): Violation[] {
  if (!isVisible(name) || [...name].length > MAX_NAME_LENGTH) {
    return [fault('name', [], `The name of an app must have 1 to ${MAX_NAME_LENGTH} characters.`)];
  }
  if (isPlainLine(name)) return [];
  return [fault('name', [], 'The name of an app must have no control characters and no invisible ones.')];
}

function descriptionFaults(description: string): Violation[] {
  if ([...description].length <= MAX_DESCRIPTION_LENGTH && isPlainLine(description)) return [];
  const message = `The description of an app must be one line of at most ${MAX_DESCRIPTION_LENGTH} visible characters.`;
  return [fault('description', [], message)];
}

function websiteFaults(website: string): Violation[] {
  if (website === '' || (WEB_PAGE.test(website) && isRedirectUri(website))) return [];
  const message = `The website [${website}] is not a web address without a fragment, as https://example.org.`;
  return [fault('website', [website], message)];
}

/** More than 10 URIs are refused, and one that nothing could be sent back to (RFC 6749 3.1.2). */
function redirectUriFaults(uris: readonly string[]): Violation[] {
  if (uris.length > MAX_REDIRECT_URIS) {
    return [fault('redirect_uris', uris, `An app can have at most ${MAX_REDIRECT_URIS} redirect URIs.`)];
  }
  const wrong = uris.find((uri) => !isRedirectUri(uri));
  if (wrong === undefined) return [];
  const message = `The redirect URI [${wrong}] is not an absolute URI that leads back to an app, without a fragment, as https://example.org/back.`;
  return [fault('redirect_uris', [wrong], message)];
}

function isRedirectUri(uri: string): boolean {
  if (uri.length > MAX_URI_LENGTH || !VISIBLE.test(uri) || uri.includes('#')) return false;
  if (WEB_WITHOUT_HOST.test(uri) || !URL.canParse(uri)) return false;
  return !FORBIDDEN_SCHEMES.has(new URL(uri).protocol);
}
