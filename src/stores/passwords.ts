import type { UserId } from '../core/ids.js';
import { asOptionalText } from '../database/decode.js';
import type { Queryable, Tx } from '../database/engine.js';
import { sql } from '../database/sql.js';

/** Returns the hash of a user's password, or undefined for a user without one, who cannot sign in. */
export async function findPasswordHash(db: Queryable, userId: UserId): Promise<string | undefined> {
  const row = await db.get(sql`SELECT password_hash FROM users WHERE id = ${userId}`);
  return row && asOptionalText(row.password_hash);
}

/** Sets a user's password. Returns false if there is no such user. */
export async function setPasswordHash(tx: Tx, userId: UserId, passwordHash: string): Promise<boolean> {
  return (await tx.run(sql`UPDATE users SET password_hash = ${passwordHash} WHERE id = ${userId}`)) === 1;
}
