import { forbidden, resourceNotFound, type PipitError } from '../../core/errors.js';
import type { UserId } from '../../core/ids.js';
import type { AccountState } from '../../core/visibility.js';
import type { Queryable } from '../../database/engine.js';
import { findAccountStates } from '../../stores/users.js';
import { isBlockedEitherWay } from './visibility.js';

/** The 403 for what a block or a rule about the other's account refuses (docs/api/errors.md#refused-actions). */
export function notPermitted(): PipitError {
  return forbidden('You are not permitted to perform this action.');
}

/** Nobody acts on somebody over a block, whichever of them made it (docs/api/people.md#follows-blocks-and-mutes). Throws `notPermitted`. */
export async function requireNoBlock(db: Queryable, one: UserId, other: UserId): Promise<void> {
  if (await isBlockedEitherWay(db, one, other)) throw notPermitted();
}

/**
 * Throws `notPermitted` for an account that may do nothing any more: one that is being deleted is suspended first, and
 * then gets no new edges.
 */
export async function requireActive(db: Queryable, userId: UserId): Promise<void> {
  const state = (await findAccountStates(db, [userId])).get(userId);
  if (state?.suspended !== false) throw notPermitted();
}

/** The account that a body's `target_user_id` names. Throws PipitError 'resource-not-found' when there is none. */
export async function requireTarget(db: Queryable, id: UserId): Promise<AccountState> {
  const state = (await findAccountStates(db, [id])).get(id);
  if (state) return state;
  throw resourceNotFound({ resourceType: 'user', parameter: 'target_user_id', value: String(id) });
}
