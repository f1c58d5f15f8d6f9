import type { Permission, Scope } from '../../core/access.js';

/**
 * Access for uploading and describing media: users whose app may write; with OAuth 2.0, only `media.write` is
 * required (docs/api/media.md#uploads).
 */
export const MEDIA_WRITE = {
  contexts: ['oauth1', 'oauth2'],
  scopes: ['media.write'] satisfies Scope[],
  permission: 'read_write' satisfies Permission,
} as const;

/**
 * The common part of endpoints for media on `/1.1/` paths. OAuth 2.0 tokens do not work there
 * (docs/api/authentication.md#client-types); apps of every access level may upload.
 */
export const MEDIA_V1 = {
  tag: 'Media, version 1.1',
  access: { contexts: ['oauth1'], permission: 'read_write' satisfies Permission },
  errorStyle: 'v1',
  openQuery: true,
} as const;
