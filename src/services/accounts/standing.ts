import type { User } from '../../core/user.js';
import { findDeactivation } from '../../stores/deactivated-users.js';
import { findDeletedUsers } from '../../stores/deleted-users.js';
import type { Queryable } from '../../database/engine.js';

/**
 * Why an account is hidden, if it is. One that its owner deactivated and an operator suspended counts as suspended; when
 * the suspension is lifted it is deactivated again.
 */
export type Standing = 'active' | 'deactivated' | 'suspended' | 'deleting';

/** Returns how an account stands. */
export async function standingOf(
  db: Queryable,
  { id, suspended }: Pick<User, 'id' | 'suspended'>,
): Promise<Standing> {
  if ((await findDeletedUsers(db, [id])).has(id)) return 'deleting';
  if (!suspended) return 'active';
  return (await findDeactivation(db, id))?.suspended === false ? 'deactivated' : 'suspended';
}
