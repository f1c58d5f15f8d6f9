/**
 * First steps of this server's own paths, and of those that may come, as far as they could be usernames. Nobody gets such
 * a name; who brings one along in a world file or an archive is found at `/i/user/<id>`.
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

/** True for a username, in any case, under which this server has or may get pages of its own. */
export function isReservedUsername(username: string): boolean {
  return RESERVED.has(username.toLowerCase());
}

/** The first step of the path of a user's posts; `i`, which is nobody's, where the user is unknown or has no path. */
export function pathNameOf(username: string | undefined): string {
  return username === undefined || isReservedUsername(username) ? 'i' : username;
}
