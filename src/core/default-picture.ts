import { normalizeText } from './unicode.js';
import type { User } from './user.js';

/** The path of default pictures on this server. No username equals it: see `RESERVED_USERNAMES`. */
export const DEFAULT_PICTURES_PATH = '/profile_images';

/** Replaces the initials of a name without drawable letters. */
export const NO_INITIALS = 'user';

/**
 * Returns the picture URL of a user without a picture. The URL contains what the picture shows, so its content never
 * changes. Clients get other sizes by replacing `_normal`.
 */
export function defaultPictureUrl(publicUrl: string, user: Pick<User, 'id' | 'name' | 'username'>): string {
  return `${publicUrl}${DEFAULT_PICTURES_PATH}/${user.id}/${initialsOf(user)}_normal.png`;
}

/**
 * Returns up to two ASCII letters or digits: the initials of the name's first and last word, or the first of the
 * username.
 */
export function initialsOf({ name, username }: Pick<User, 'name' | 'username'>): string {
  const letters = name.split(/\s+/u).map(initialOf);
  const drawn = letters.filter((letter) => letter !== undefined);
  const [first, last] = [drawn[0], drawn.length > 1 ? drawn.at(-1) : ''];
  return first === undefined ? (initialOf(username) ?? NO_INITIALS) : `${first}${last}`;
}

/** Returns the initial of a word without accents. */
function initialOf(word: string): string | undefined {
  const [first = ''] = normalizeText(word, 'NFKD').replace(/^[\p{P}\p{S}]+/u, '');
  return /^[A-Za-z0-9]$/.test(first) ? first.toUpperCase() : undefined;
}
