import type { UserId } from '../core/ids.js';
import type { Tx } from '../database/engine.js';
import { sql } from '../database/sql.js';
import { deleteBy } from '../database/table.js';

/**
 * Deletes a user's sessions, pending consents and password reset links. Tokens stay: they are refused while the
 * account is hidden.
 */
export const endSignIns = deleteBy<UserId>(
  'user_id',
  'web_sessions',
  'authorization_codes',
  'request_tokens',
  'password_resets',
);

/** Deletes an operator's unused invitations and password reset links. */
export async function deleteLinksBy(tx: Tx, operatorId: UserId): Promise<void> {
  await tx.run(sql`DELETE FROM invitations WHERE created_by = ${operatorId} AND used_by IS NULL`);
  await tx.run(sql`DELETE FROM password_resets WHERE created_by = ${operatorId}`);
}
