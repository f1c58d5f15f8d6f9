import type { PostId } from './ids.js';

/**
 * The first path segments that this server uses or may use, if they could be usernames. New users cannot take these;
 * a user with such a name from a world file or archive is served at `/i/user/<id>`.
 */
const RESERVED: ReadonlySet<string> = new Set([
  '2',
  '_pipit',
  'about',
  'api',
  'assets',
  'cashtag',
  'compliance',
  'compose',
  'docs',
  'explore',
  'hashtag',
  'health',
  'healthz',
  'help',
  'home',
  'i',
  'intent',
  'lists',
  'livez',
  'login',
  'logout',
  'mcp',
  'media',
  'messages',
  'metrics',
  'notifications',
  'oauth',
  'oauth2',
  'privacy',
  'profile_images',
  'readyz',
  'search',
  'settings',
  'share',
  'signin',
  'signup',
  'static',
  'status',
  'tos',
]);

/** Reports whether a username, in any case, is reserved for paths of this server. */
export function isReservedUsername(username: string): boolean {
  return RESERVED.has(username.toLowerCase());
}

/**
 * Returns the first path segment of a user's posts; `i`, which no user has, if the user is unknown or the name is
 * reserved.
 */
export function pathNameOf(username: string | undefined): string {
  return username === undefined || isReservedUsername(username) ? 'i' : username;
}

/** Returns the link of a post on this server. Links resolve by id, so they survive a change of username. */
export function statusUrl(publicUrl: string, username: string | undefined, id: PostId): string {
  return `${publicUrl}/${pathNameOf(username)}/status/${id}`;
}
