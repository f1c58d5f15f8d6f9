import type { UserId } from '../core/ids.js';
import { asId, asNumber, asOptionalText, asText } from '../database/decode.js';
import type { Queryable, Row, Tx } from '../database/engine.js';
import { sql } from '../database/sql.js';

/** A browser session of a signed-in user. */
export interface WebSession {
  /** SHA-256 of the cookie's token: identifies the session but cannot be used to sign in. */
  readonly tokenHash: string;
  readonly userId: UserId;
  readonly createdAtMs: number;
  /** When it was last renewed. */
  readonly seenAtMs: number;
  readonly expiresAtMs: number;
  /** The browser's User-Agent at sign-in. */
  readonly userAgent?: string;
}

/** Returns the session with this hash, expired or not. */
export async function findWebSession(db: Queryable, tokenHash: string): Promise<WebSession | undefined> {
  const row = await db.get(sql`SELECT * FROM web_sessions WHERE token_hash = ${tokenHash}`);
  return row && decodeSession(row);
}

/** Returns a user's sessions, newest first. */
export async function listWebSessions(db: Queryable, userId: UserId): Promise<WebSession[]> {
  const rows = await db.all(sql`
    SELECT * FROM web_sessions WHERE user_id = ${userId} ORDER BY created_at DESC, token_hash`);
  return rows.map(decodeSession);
}

export async function insertWebSession(tx: Tx, session: WebSession): Promise<void> {
  await tx.run(sql`
    INSERT INTO web_sessions (token_hash, user_id, created_at, seen_at, expires_at, user_agent)
    VALUES (${session.tokenHash}, ${session.userId}, ${session.createdAtMs}, ${session.seenAtMs},
      ${session.expiresAtMs}, ${session.userAgent})`);
}

/** Extends a session. Returns false if it no longer exists. */
export async function renewWebSession(
  tx: Tx,
  tokenHash: string,
  { seenAtMs, expiresAtMs }: Pick<WebSession, 'seenAtMs' | 'expiresAtMs'>,
): Promise<boolean> {
  const renewed = await tx.run(sql`
    UPDATE web_sessions SET seen_at = ${seenAtMs}, expires_at = ${expiresAtMs} WHERE token_hash = ${tokenHash}`);
  return renewed === 1;
}

/** Deletes a session. Returns false if there is none. */
export async function deleteWebSession(tx: Tx, tokenHash: string): Promise<boolean> {
  return (await tx.run(sql`DELETE FROM web_sessions WHERE token_hash = ${tokenHash}`)) === 1;
}

/** Deletes a user's sessions except the one with the hash `kept`. Returns the number deleted. */
export function deleteWebSessionsOf(tx: Tx, userId: UserId, kept = ''): Promise<number> {
  return tx.run(sql`DELETE FROM web_sessions WHERE user_id = ${userId} AND token_hash <> ${kept}`);
}

function decodeSession(row: Row): WebSession {
  return {
    tokenHash: asText(row.token_hash),
    userId: asId(row.user_id),
    createdAtMs: asNumber(row.created_at),
    seenAtMs: asNumber(row.seen_at),
    expiresAtMs: asNumber(row.expires_at),
    userAgent: asOptionalText(row.user_agent),
  };
}
