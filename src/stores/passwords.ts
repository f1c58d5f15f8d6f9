import type { UserId } from '../core/ids.js';
import { asOptionalText } from '../database/decode.js';
import type { Queryable, Tx } from '../database/engine.js';
import { sql } from '../database/sql.js';

/** The hash of a user's password; undefined for a user without one, who cannot sign in. */
export async function findPasswordHash(db: Queryable, userId: UserId): Promise<string | undefined> {
  const row = await db.get(sql`SELECT password_hash FROM users WHERE id = ${userId}`);
  return row && asOptionalText(row.password_hash);
}

/** Gives a user another password; false when there is no such user. */
export async function setPasswordHash(tx: Tx, userId: UserId, passwordHash: string): Promise<boolean> {
  return (await tx.run(sql`UPDATE users SET password_hash = ${passwordHash} WHERE id = ${userId}`)) === 1;
}
