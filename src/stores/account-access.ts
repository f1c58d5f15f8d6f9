import type { UserId } from '../core/ids.js';
import type { Tx } from '../database/engine.js';
import { sql } from '../database/sql.js';

/**
 * Ends what a user has begun and what would outlive the account's good standing: sessions, consents that have not become
 * tokens, links to a new password. Tokens stay: they are refused while the account is hidden.
 */
export async function endSignIns(tx: Tx, userId: UserId): Promise<void> {
  await tx.run(sql`DELETE FROM web_sessions WHERE user_id = ${userId}`);
  await tx.run(sql`DELETE FROM authorization_codes WHERE user_id = ${userId}`);
  await tx.run(sql`DELETE FROM request_tokens WHERE user_id = ${userId}`);
  await tx.run(sql`DELETE FROM password_resets WHERE user_id = ${userId}`);
}

/** Invalidates the invitations and the links to a new password that an operator made and nobody has used. */
export async function deleteLinksBy(tx: Tx, operatorId: UserId): Promise<void> {
  await tx.run(sql`DELETE FROM invitations WHERE created_by = ${operatorId} AND used_by IS NULL`);
  await tx.run(sql`DELETE FROM password_resets WHERE created_by = ${operatorId}`);
}
