import type { UserId } from '../core/ids.js';
import { asId, asNumber, asOptionalText, asText } from '../database/decode.js';
import type { Queryable, Row, Tx } from '../database/engine.js';
import { sql } from '../database/sql.js';

/** A browser that somebody signed in with. */
export interface WebSession {
  /** SHA-256 of what its cookie holds: names it without being of use to a thief. */
  readonly tokenHash: string;
  readonly userId: UserId;
  readonly createdAtMs: number;
  /** When it was last renewed. */
  readonly seenAtMs: number;
  readonly expiresAtMs: number;
  /** What the browser called itself at sign-in. */
  readonly userAgent?: string;
}

/** The session with this hash, expired or not. */
export async function findWebSession(db: Queryable, tokenHash: string): Promise<WebSession | undefined> {
  const row = await db.get(sql`SELECT * FROM web_sessions WHERE token_hash = ${tokenHash}`);
  return row && decodeSession(row);
}

/** A user's sessions, the newest first. */
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

/** Lets a session last longer; false when it has ended meanwhile. */
export async function renewWebSession(
  tx: Tx,
  tokenHash: string,
  { seenAtMs, expiresAtMs }: Pick<WebSession, 'seenAtMs' | 'expiresAtMs'>,
): Promise<boolean> {
  const renewed = await tx.run(sql`
    UPDATE web_sessions SET seen_at = ${seenAtMs}, expires_at = ${expiresAtMs} WHERE token_hash = ${tokenHash}`);
  return renewed === 1;
}

/** False when there is no such session. */
export async function deleteWebSession(tx: Tx, tokenHash: string): Promise<boolean> {
  return (await tx.run(sql`DELETE FROM web_sessions WHERE token_hash = ${tokenHash}`)) === 1;
}

/** Ends a user's sessions but the one with the hash `kept`; resolves to how many there were. */
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
