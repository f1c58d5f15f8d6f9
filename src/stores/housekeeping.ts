import type { UserId } from '../core/ids.js';
import { asId, asText } from '../database/decode.js';
import type { Tx } from '../database/engine.js';
import { rawSql, sql, type Sql } from '../database/sql.js';
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

/** The kinds of rows that expire and have a text key. */
export const EXPIRABLE = [
  'bearer-tokens',
  'refresh-tokens',
  'authorization-codes',
  'request-tokens',
  'web-sessions',
  'invitations',
  'password-resets',
] as const;
export type Expirable = (typeof EXPIRABLE)[number];

interface ExpirableTable {
  readonly table: Sql;
  readonly key: Sql;
  readonly expiredBefore: (beforeMs: number) => Sql;
}

const TABLES: Readonly<Record<Expirable, ExpirableTable>> = {
  'bearer-tokens': {
    table: rawSql('bearer_tokens'),
    key: rawSql('token_hash'),
    expiredBefore: (beforeMs) => sql`(expires_at < ${beforeMs} OR revoked_at < ${beforeMs})`,
  },
  'refresh-tokens': {
    table: rawSql('refresh_tokens'),
    key: rawSql('token_hash'),
    expiredBefore: (beforeMs) =>
      sql`(revoked_at < ${beforeMs} OR created_at < ${beforeMs - REFRESH_IDLE_MS})`,
  },
  'authorization-codes': {
    table: rawSql('authorization_codes'),
    key: rawSql('code_hash'),
    expiredBefore: (beforeMs) => sql`expires_at < ${beforeMs}`,
  },
  'request-tokens': {
    table: rawSql('request_tokens'),
    key: rawSql('token'),
    expiredBefore: (beforeMs) => sql`expires_at < ${beforeMs}`,
  },
  'web-sessions': {
    table: rawSql('web_sessions'),
    key: rawSql('token_hash'),
    expiredBefore: (beforeMs) => sql`expires_at < ${beforeMs}`,
  },
  invitations: {
    table: rawSql('invitations'),
    key: rawSql('code_hash'),
    expiredBefore: (beforeMs) => sql`expires_at < ${beforeMs}`,
  },
  'password-resets': {
    table: rawSql('password_resets'),
    key: rawSql('token_hash'),
    expiredBefore: (beforeMs) => sql`expires_at < ${beforeMs}`,
  },
};

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
  const { table, key, expiredBefore } = TABLES[kind];
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
