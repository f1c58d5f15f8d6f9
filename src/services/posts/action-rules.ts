import { forbidden, resourceNotFound, type PipitError } from '../../core/errors.js';
import type { UserId } from '../../core/ids.js';
import type { AccountState } from '../../core/visibility.js';
import type { Queryable } from '../../database/engine.js';
import { findAccountStates } from '../../stores/users.js';
import { isBlockedEitherWay } from './visibility.js';

/** Returns the 403 for an action that a block or an account's state forbids (docs/api/errors.md#refused-actions). */
export function notPermitted(): PipitError {
  return forbidden('You are not permitted to perform this action.');
}

/** Throws `notPermitted` when either user blocks the other (docs/api/people.md#follows-blocks-and-mutes). */
export async function requireNoBlock(db: Queryable, one: UserId, other: UserId): Promise<void> {
  if (await isBlockedEitherWay(db, one, other)) throw notPermitted();
}

/**
 * Throws `notPermitted` for a suspended account. An account is suspended before it is deleted, so this also prevents
 * new edges during deletion.
 */
export async function requireActive(db: Queryable, userId: UserId): Promise<void> {
  const state = (await findAccountStates(db, [userId])).get(userId);
  if (state?.suspended !== false) throw notPermitted();
}

/** Returns the account named by `target_user_id`. Throws 'resource-not-found' when it does not exist. */
export async function requireTarget(db: Queryable, id: UserId): Promise<AccountState> {
  const state = (await findAccountStates(db, [id])).get(id);
  if (state) return state;
  throw resourceNotFound({ resourceType: 'user', parameter: 'target_user_id', value: String(id) });
}
