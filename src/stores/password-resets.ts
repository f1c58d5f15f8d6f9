import type { UserId } from '../core/ids.js';
import { asId } from '../database/decode.js';
import type { Queryable, Tx } from '../database/engine.js';
import { isActiveOperator } from './operators.js';
import { rawSql, sql } from '../database/sql.js';

/** Lets whoever has the token give a user another password, once. */
export interface PasswordReset {
  readonly tokenHash: string;
  readonly userId: UserId;
  /** The operator who made it; undefined: the command line. */
  readonly createdBy?: UserId;
  readonly expiresAtMs: number;
}

export async function insertPasswordReset(tx: Tx, reset: PasswordReset): Promise<void> {
  await tx.run(sql`
    INSERT INTO password_resets (token_hash, user_id, created_by, expires_at)
    VALUES (${reset.tokenHash}, ${reset.userId}, ${reset.createdBy}, ${reset.expiresAtMs})`);
}

/** Whose password this token may change; undefined when it is unknown, used or expired, or its maker no operator now. */
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

/** Uses a token up; false when that was done before. */
export async function deletePasswordReset(tx: Tx, tokenHash: string): Promise<boolean> {
  return (await tx.run(sql`DELETE FROM password_resets WHERE token_hash = ${tokenHash}`)) === 1;
}

/** Makes every link that a user has worthless. */
export async function deletePasswordResetsOf(tx: Tx, userId: UserId): Promise<void> {
  await tx.run(sql`DELETE FROM password_resets WHERE user_id = ${userId}`);
}
