import type { UserId } from '../core/ids.js';
import type { Tx } from '../database/engine.js';
import { asId, asText, rawSql, sql, type Sql } from '../database/sql.js';
import { REFRESH_IDLE_MS } from './token-families.js';

/** A key of `recent_texts`. */
export interface TextKey {
  readonly userId: UserId;
  readonly hash: string;
}

/**
 * Scans the next `limit` recent texts and deletes those created before `beforeMs`. Returns where to continue, or
 * undefined at the end. Walking the primary key avoids an index that every new post would have to maintain.
 */
export async function deleteOldTexts(
  tx: Tx,
  after: TextKey | undefined,
  limit: number,
  beforeMs: number,
): Promise<TextKey | undefined> {
  const from = after ? sql`(user_id, text_hash) > (${after.userId}, ${after.hash})` : ALL;
  const row = await tx.get(sql`SELECT user_id, text_hash FROM recent_texts WHERE ${from}
    ORDER BY user_id, text_hash LIMIT 1 OFFSET ${limit - 1}`);
  const last = row && { userId: asId<UserId>(row['user_id']), hash: asText(row['text_hash']) };
  const to = last ? sql`(user_id, text_hash) <= (${last.userId}, ${last.hash})` : ALL;
  await tx.run(sql`DELETE FROM recent_texts WHERE ${from} AND ${to} AND created_at < ${beforeMs}`);
  return last;
}

/** The kinds of rows that expire, in the order of their cleaning: table, text key, and condition of expiry. */
const TABLES = {
  'bearer-tokens': ['bearer_tokens', 'token_hash', hasExpiredOrWasRevoked],
  'refresh-tokens': ['refresh_tokens', 'token_hash', wasAbandonedOrRevoked],
  'authorization-codes': ['authorization_codes', 'code_hash', hasExpired],
  'request-tokens': ['request_tokens', 'token', hasExpired],
  'web-sessions': ['web_sessions', 'token_hash', hasExpired],
  invitations: ['invitations', 'code_hash', hasExpired],
  'password-resets': ['password_resets', 'token_hash', hasExpired],
  'stream-connections': ['stream_connections', 'uuid', hasEnded],
} as const;

export type Expirable = keyof typeof TABLES;
export const EXPIRABLE = Object.keys(TABLES) as Expirable[];

function hasExpired(beforeMs: number): Sql {
  return sql`expires_at < ${beforeMs}`;
}

function hasEnded(beforeMs: number): Sql {
  return sql`ends_at < ${beforeMs}`;
}

function hasExpiredOrWasRevoked(beforeMs: number): Sql {
  return sql`(expires_at < ${beforeMs} OR revoked_at < ${beforeMs})`;
}

function wasAbandonedOrRevoked(beforeMs: number): Sql {
  return sql`(revoked_at < ${beforeMs} OR created_at < ${beforeMs - REFRESH_IDLE_MS})`;
}

/**
 * Scans the next `limit` rows of a kind by key and deletes those that expired or were revoked before
 * `beforeMs`. Returns where to continue, or undefined at the end.
 */
export async function deleteExpired(
  tx: Tx,
  kind: Expirable,
  after: string | undefined,
  limit: number,
  beforeMs: number,
): Promise<string | undefined> {
  const [tableName, keyName, expiredBefore] = TABLES[kind];
  const [table, key] = [rawSql(tableName), rawSql(keyName)];
  const from = after === undefined ? ALL : sql`${key} > ${after}`;
  const row = await tx.get(sql`SELECT ${key} AS last FROM ${table} WHERE ${from}
    ORDER BY ${key} LIMIT 1 OFFSET ${limit - 1}`);
  const last = row && asText(row['last']);
  const to = last === undefined ? ALL : sql`${key} <= ${last}`;
  await tx.run(sql`DELETE FROM ${table} WHERE ${from} AND ${to} AND ${expiredBefore(beforeMs)}`);
  return last;
}

/** A condition without a bound. */
const ALL: Sql = sql`1 = 1`;
