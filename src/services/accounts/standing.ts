import type { User } from '../../core/user.js';
import { findDeactivation } from '../../stores/deactivated-users.js';
import { findDeletedUsers } from '../../stores/deleted-users.js';
import type { Queryable } from '../../database/engine.js';

/**
 * The state of an account. An account that is both deactivated and suspended counts as suspended, and as deactivated
 * again after the suspension is lifted.
 */
export type Standing = 'active' | 'deactivated' | 'suspended' | 'deleting';

/** Returns the state of an account. */
export async function standingOf(
  db: Queryable,
  { id, suspended }: Pick<User, 'id' | 'suspended'>,
): Promise<Standing> {
  if ((await findDeletedUsers(db, [id])).has(id)) return 'deleting';
  if (!suspended) return 'active';
  return (await findDeactivation(db, id))?.suspended === false ? 'deactivated' : 'suspended';
}
