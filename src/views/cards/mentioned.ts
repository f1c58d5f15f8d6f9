import type { Entities } from '../../core/entities.js';
import type { UserId } from '../../core/ids.js';
import type { User } from '../../core/user.js';
import type { PostSet } from '../hydrate/posts.js';

/** Returns the existing accounts that a text mentions, by id. */
export function mentionedUsers(
  { users }: PostSet,
  { mentions = [] }: Pick<Entities, 'mentions'> = {},
): ReadonlyMap<string, User> {
  return new Map(
    mentions.flatMap(({ id }) => {
      const user = id === undefined ? undefined : users.find(BigInt(id) as UserId);
      return id !== undefined && user ? [[id, user] as const] : [];
    }),
  );
}
