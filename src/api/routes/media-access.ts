import type { Permission } from '../../core/access.js';
import type { Scope } from '../../core/scope.js';

/** Who may upload and describe media: users whose app may write; OAuth 2.0 with `media.write` alone (docs/api/media.md#uploads). */
export const MEDIA_WRITE = {
  contexts: ['oauth1', 'oauth2'],
  scopes: ['media.write'] satisfies Scope[],
  permission: 'read_write' satisfies Permission,
} as const;

/** On `/1.1/` paths OAuth 2.0 tokens do not work (docs/api/authentication.md#client-types); apps of every access level may upload (7). */
export const MEDIA_WRITE_V1 = {
  contexts: ['oauth1'],
  permission: 'read_write' satisfies Permission,
} as const;

/** Who may look media up (docs/api/limits.md#monthly-post-cap). */
export const MEDIA_READ = {
  contexts: ['app', 'oauth1', 'oauth2'],
  scopes: ['tweet.read'] satisfies Scope[],
} as const;
