import { plainLine } from '../core/plain-line.js';
import type { User } from '../core/user.js';

/** Returns a user's name for a page: nothing in it is invisible or changes what stands around it. */
export function shownName({ name, username }: Pick<User, 'name' | 'username'>): string {
  return plainLine(name, username);
}
