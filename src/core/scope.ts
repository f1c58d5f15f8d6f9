/** OAuth 2.0 scopes (docs/api/authentication.md#scopes). */
export const SCOPES = [
  'tweet.read',
  'tweet.write',
  'tweet.moderate.write',
  'users.read',
  'users.email',
  'follows.read',
  'follows.write',
  'mute.read',
  'mute.write',
  'block.read',
  'block.write',
  'like.read',
  'like.write',
  'list.read',
  'list.write',
  'bookmark.read',
  'bookmark.write',
  'space.read',
  'dm.read',
  'dm.write',
  'media.write',
  'timeline.read',
  'offline.access',
] as const;
export type Scope = (typeof SCOPES)[number];

const KNOWN: ReadonlySet<string> = new Set(SCOPES);

/** Reports whether a text is a known scope. */
export function isScope(text: string): text is Scope {
  return KNOWN.has(text);
}
