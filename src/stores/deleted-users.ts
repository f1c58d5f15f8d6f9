import type { UserId } from '../core/ids.js';
import type { User } from '../core/user.js';
import type { Queryable, Tx } from '../database/engine.js';
import { asId, asNumber, sql } from '../database/sql.js';
import { defineTable } from '../database/table.js';

/** An account, and when its deletion started. */
interface DeletedUser extends Pick<User, 'id' | 'createdAtMs'> {
  readonly deletedAtMs: number;
}

const DELETED = defineTable<DeletedUser, UserId>('deleted_users', 'id', {
  id: ['user_id', asId],
  createdAtMs: ['created_at', asNumber],
  deletedAtMs: ['deleted_at', asNumber],
});

/** Records for compliance jobs when the deletion of an account started. Returns false if already recorded. */
export function insertDeletedUser(
  tx: Tx,
  user: Pick<User, 'id' | 'createdAtMs'>,
  deletedAtMs: number,
): Promise<boolean> {
  return DELETED.insertNew(tx, { ...user, deletedAtMs });
}

/** Returns the accounts among `ids` whose deletion started, by id. Accounts not deleted here are left out. */
export const findDeletedUsers = DELETED.findAmong;

/** Returns the users whose deletion began here. */
export function listAllDeletedUsers(db: Queryable): Promise<DeletedUser[]> {
  return DELETED.list(db, sql`1 = 1 ORDER BY user_id`);
}
