import { plainLine } from '../core/plain-line.js';
import type { User } from '../core/user.js';

/** Returns a user's name for a page, without characters that are invisible or alter the surrounding text. */
export function shownName({ name, username }: Pick<User, 'name' | 'username'>): string {
  return plainLine(name, username);
}
