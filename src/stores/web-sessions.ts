import type { UserId } from '../core/ids.js';
import type { Queryable, Tx } from '../database/engine.js';
import { asId, asNumber, asOptionalText, asText, sql } from '../database/sql.js';
import { defineTable, deleteBy } from '../database/table.js';

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

const SESSIONS = defineTable<WebSession, string>('web_sessions', 'tokenHash', {
  tokenHash: ['token_hash', asText],
  userId: ['user_id', asId],
  createdAtMs: ['created_at', asNumber],
  seenAtMs: ['seen_at', asNumber],
  expiresAtMs: ['expires_at', asNumber],
  userAgent: ['user_agent', asOptionalText],
});

/** Returns the session with this hash, expired or not. */
export const findWebSession = SESSIONS.find;
export const insertWebSession = SESSIONS.insert;

/** Extends a session. Returns false if it no longer exists. */
export const renewWebSession = SESSIONS.updater('seenAtMs', 'expiresAtMs');

/** Returns a user's sessions, newest first. */
export function listWebSessions(db: Queryable, userId: UserId): Promise<WebSession[]> {
  return SESSIONS.list(db, sql`user_id = ${userId} ORDER BY created_at DESC, token_hash`);
}

/** Deletes a session. Returns false if there is none. */
export const deleteWebSession = deleteBy<string>('token_hash', 'web_sessions');

/** Deletes a user's sessions except the one with the hash `kept`. Returns the number deleted. */
export function deleteWebSessionsOf(tx: Tx, userId: UserId, kept = ''): Promise<number> {
  return tx.run(sql`DELETE FROM web_sessions WHERE user_id = ${userId} AND token_hash <> ${kept}`);
}
