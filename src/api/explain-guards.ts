import { type Context, type Permission, type Principal, permits } from '../core/access.js';
import type { Explanation } from '../core/explanation.js';

type UserPrincipal = Exclude<Principal, { readonly context: 'app' }>;

/** Explains a missing scope; `needed` are all scopes of the operation, or those of which one is enough. */
export function explainScopes(
  missing: string,
  needed: readonly string[],
  { app, scopes }: Extract<Principal, { readonly context: 'oauth2' }>,
): Explanation {
  return {
    step: 'scope',
    summary: `The token lacks the scope ${missing}.`,
    compared: [{ what: 'Scopes', client: [...scopes].join(' '), server: needed.join(' ') }],
    hints: [
      'Ask the user for consent again, with the scope. A token never gains scopes, nor does a refresh add any.',
    ],
    appId: app.id,
  };
}

/** Explains a missing permission of the app or of its token. */
export function explainPermission(needed: Permission, { app, permission }: UserPrincipal): Explanation {
  const isOfToken = permits(app.permissions, needed);
  return {
    step: 'permission',
    summary: isOfToken
      ? 'The app has the permission, but the token was issued before the app got it.'
      : 'The app lacks the permission.',
    compared: [{ what: 'Permission', client: permission, server: needed }],
    hints: [isOfToken ? 'Issue a new token.' : 'Raise the permissions of the app, then issue a new token.'],
    appId: app.id,
  };
}

/** Explains credentials of a kind that the operation does not take. */
export function explainContext(
  used: Context,
  supported: readonly Context[],
  { app }: Principal,
): Explanation {
  return {
    step: 'kind of credentials',
    summary: `The operation does not take ${WORDS[used]}.`,
    compared: [
      { what: 'Kind', client: WORDS[used], server: supported.map((each) => WORDS[each]).join(', or ') },
    ],
    appId: app.id,
  };
}

const WORDS: Readonly<Record<Context, string>> = {
  oauth1: 'a request signed with OAuth 1.0a',
  oauth2: 'an OAuth 2.0 token of a user',
  app: 'an app’s own bearer token',
};
