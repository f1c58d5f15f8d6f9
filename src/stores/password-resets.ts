import type { UserId } from '../core/ids.js';
import type { Queryable, Tx } from '../database/engine.js';
import { isActiveOperator } from './operators.js';
import { asId, rawSql, sql } from '../database/sql.js';
import { deleteBy } from '../database/table.js';

/** A single-use token with which a user's password can be set. */
export interface PasswordReset {
  readonly tokenHash: string;
  readonly userId: UserId;
  /** The operator who created it; undefined for the command line. */
  readonly createdBy?: UserId;
  readonly expiresAtMs: number;
}

export async function insertPasswordReset(tx: Tx, reset: PasswordReset): Promise<void> {
  await tx.run(sql`
    INSERT INTO password_resets (token_hash, user_id, created_by, expires_at)
    VALUES (${reset.tokenHash}, ${reset.userId}, ${reset.createdBy}, ${reset.expiresAtMs})`);
}

/**
 * Returns the user whose password the token may change, or undefined if it is unknown, used or expired, or its
 * creator is no longer an operator.
 */
export async function findPasswordReset(
  db: Queryable,
  tokenHash: string,
  nowMs: number,
): Promise<UserId | undefined> {
  const row = await db.get(sql`
    SELECT user_id FROM password_resets
    WHERE token_hash = ${tokenHash} AND expires_at > ${nowMs}
      AND (created_by IS NULL OR ${isActiveOperator(rawSql('created_by'))})`);
  return row && asId<UserId>(row.user_id);
}

/** Redeems a token. Returns false if it was redeemed before. */
export const deletePasswordReset = deleteBy<string>('token_hash', 'password_resets');

/** Deletes all password reset links of a user. */
export const deletePasswordResetsOf = deleteBy<UserId>('user_id', 'password_resets');
