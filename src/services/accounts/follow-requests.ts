import type { UserId } from '../../core/ids.js';
import type { User } from '../../core/user.js';
import type { Engine } from '../../database/engine.js';
import { listRequesters } from '../../stores/follow-requests.js';
import { findUsers } from '../../stores/users.js';

/** Up to `limit` of those who wait for the user to answer, oldest first; suspended ones are left out. */
export async function waitingFollowers(
  { engine }: { readonly engine: Engine },
  userId: UserId,
  limit: number,
): Promise<User[]> {
  const ids = await listRequesters(engine, userId, limit);
  const users = await findUsers(engine, ids);
  return ids.flatMap((id) => users.get(id) ?? []).filter((user) => !user.suspended);
}
