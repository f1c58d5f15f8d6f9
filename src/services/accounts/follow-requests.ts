import type { UserId } from '../../core/ids.js';
import type { User } from '../../core/user.js';
import type { Engine } from '../../database/engine.js';
import { listRequesters } from '../../stores/follows.js';
import { findUsers } from '../../stores/users.js';

/** Lists up to `limit` users with pending follow requests to the user, oldest first, without suspended ones. */
export async function pendingFollowers(
  { engine }: { readonly engine: Engine },
  userId: UserId,
  limit: number,
): Promise<User[]> {
  const ids = await listRequesters(engine, userId, limit);
  const users = await findUsers(engine, ids);
  return ids.flatMap((id) => users.get(id) ?? []).filter((user) => !user.suspended);
}
