import { normalizeText } from './normalize-text.js';
import type { User } from './user.js';

/** Where default pictures are below the server's address. No username has it: see `RESERVED_USERNAMES`. */
export const DEFAULT_PICTURES_PATH = '/profile_images';

/** Stands for the letters of a name that has none which can be drawn. */
export const NO_INITIALS = 'user';

/**
 * The URL of the picture of a user without one: it names what the picture shows, so that it never changes under its URL.
 * Clients get other sizes of it by replacing `_normal`.
 */
export function defaultPictureUrl(publicUrl: string, user: Pick<User, 'id' | 'name' | 'username'>): string {
  return `${publicUrl}${DEFAULT_PICTURES_PATH}/${user.id}/${initialsOf(user)}_normal.png`;
}

/** Up to two letters or digits of ASCII: of the first and last word of the name, or the first of the username. */
export function initialsOf({ name, username }: Pick<User, 'name' | 'username'>): string {
  const letters = name.split(/\s+/u).map(initialOf);
  const drawn = letters.filter((letter) => letter !== undefined);
  const [first, last] = [drawn[0], drawn.length > 1 ? drawn.at(-1) : ''];
  return first === undefined ? (initialOf(username) ?? NO_INITIALS) : `${first}${last}`;
}

/** The letter that a word begins with, without accents. */
function initialOf(word: string): string | undefined {
  const [first = ''] = normalizeText(word, 'NFKD').replace(/^[\p{P}\p{S}]+/u, '');
  return /^[A-Za-z0-9]$/.test(first) ? first.toUpperCase() : undefined;
}
