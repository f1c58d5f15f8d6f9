import type { Permission } from '../core/access.js';
import type { Scope } from '../core/scope.js';

/** What every OAuth 2.0 user token needs that touches posts or users (docs/api/authentication.md#scopes). */
const BASE_SCOPES = ['tweet.read', 'users.read'] as const satisfies readonly Scope[];

const ANYBODY = ['app', 'oauth1', 'oauth2'] as const;
const USERS = ['oauth1', 'oauth2'] as const;

/** Read by apps and users; `scopes` come on top of `tweet.read` and `users.read`. */
export function publicRead(...scopes: Scope[]) {
  return { contexts: ANYBODY, scopes: [...BASE_SCOPES, ...scopes] } as const;
}

/** Read by users alone; scopes as for `publicRead`. */
export function userRead(...scopes: Scope[]) {
  return { contexts: USERS, scopes: [...BASE_SCOPES, ...scopes] } as const;
}

/** Done by users whose app may write (docs/api/authentication.md#permissions); scopes as for `publicRead`. */
export function userWrite(...scopes: Scope[]) {
  return { ...userRead(...scopes), permission: 'read_write' satisfies Permission } as const;
}
