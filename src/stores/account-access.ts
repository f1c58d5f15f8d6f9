import type { UserId } from '../core/ids.js';
import type { Tx } from '../database/engine.js';
import { sql } from '../database/sql.js';

/**
 * Deletes a user's sessions, pending consents and password reset links. Tokens stay: they are refused while the
 * account is hidden.
 */
export async function endSignIns(tx: Tx, userId: UserId): Promise<void> {
  await tx.run(sql`DELETE FROM web_sessions WHERE user_id = ${userId}`);
  await tx.run(sql`DELETE FROM authorization_codes WHERE user_id = ${userId}`);
  await tx.run(sql`DELETE FROM request_tokens WHERE user_id = ${userId}`);
  await tx.run(sql`DELETE FROM password_resets WHERE user_id = ${userId}`);
}

/** Deletes an operator's unused invitations and password reset links. */
export async function deleteLinksBy(tx: Tx, operatorId: UserId): Promise<void> {
  await tx.run(sql`DELETE FROM invitations WHERE created_by = ${operatorId} AND used_by IS NULL`);
  await tx.run(sql`DELETE FROM password_resets WHERE created_by = ${operatorId}`);
}
