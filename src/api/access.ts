import type { Permission } from '../core/access.js';
import type { Scope } from '../core/scope.js';

/**
 * The scopes of every OAuth 2.0 user token that reads or writes posts or users (docs/api/authentication.md#scopes).
 */
const BASE_SCOPES = ['tweet.read', 'users.read'] as const satisfies readonly Scope[];

const ANYBODY = ['app', 'oauth1', 'oauth2'] as const;
const USERS = ['oauth1', 'oauth2'] as const;

/** Declares access for apps and users; `scopes` are added to `tweet.read` and `users.read`. */
export function publicRead(...scopes: Scope[]) {
  return { contexts: ANYBODY, scopes: [...BASE_SCOPES, ...scopes] } as const;
}

/** Declares access for users only; scopes as for `publicRead`. */
export function userRead(...scopes: Scope[]) {
  return { contexts: USERS, scopes: [...BASE_SCOPES, ...scopes] } as const;
}

/**
 * Declares access for users whose app may write (docs/api/authentication.md#permissions); scopes as for
 * `publicRead`.
 */
export function userWrite(...scopes: Scope[]) {
  return { ...userRead(...scopes), permission: 'read_write' satisfies Permission } as const;
}
