import type { UserId } from '../core/ids.js';
import { asBoolean, asId } from '../database/sql.js';
import { deleteBy, rowChange, rowQuery, setQuery } from '../database/table.js';

/** Returns the users that deactivated their account and are not also suspended by an operator. */
export const deactivatedAmong = setQuery<UserId, [ids: readonly UserId[]]>(
  asId,
  'SELECT user_id FROM deactivated_users WHERE user_id IN ? AND suspended = 0',
);

/** Returns whether an operator also suspended a deactivated account, or undefined if it is not deactivated. */
export const findDeactivation = rowQuery<{ readonly suspended: boolean }, [UserId]>(
  (row) => ({ suspended: asBoolean(row.suspended) }),
  'SELECT suspended FROM deactivated_users WHERE user_id = ?',
);

/** Records that a user deactivated the account. Returns false if already recorded. */
export const insertDeactivation = rowChange<[userId: UserId, nowMs: number]>(
  'INSERT INTO deactivated_users (user_id, deactivated_at) VALUES (?, ?) ON CONFLICT DO NOTHING',
);

/** Records whether an operator also suspended a deactivated account. Returns false if it is not deactivated. */
export const suspendDeactivated = rowChange<[suspended: boolean, UserId]>(
  'UPDATE deactivated_users SET suspended = ? WHERE user_id = ?',
);

/** Deletes the record of a deactivation. Returns false if there was none. */
export const deleteDeactivation = deleteBy<UserId>('user_id', 'deactivated_users');
