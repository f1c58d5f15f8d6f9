import type { UserId } from '../core/ids.js';
import { asId, asText } from './decode.js';
import type { Tx } from './engine.js';
import { sql, type Sql } from './sql.js';

/** A place in `recent_texts`. */
export interface TextKey {
  readonly userId: UserId;
  readonly hash: string;
}

/**
 * Looks at the next `limit` remembered texts and deletes those of before `beforeMs`. Resolves to where to go on;
 * undefined at the end. Walking the key costs no index that every new post would have to keep up.
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

/**
 * Looks at the next `limit` bearer tokens by their hash and deletes those that expired or were revoked before
 * `beforeMs`. Resolves to where to go on; undefined at the end.
 */
export async function deleteDeadBearerTokens(
  tx: Tx,
  after: string | undefined,
  limit: number,
  beforeMs: number,
): Promise<string | undefined> {
  const from = after === undefined ? ALL : sql`token_hash > ${after}`;
  const row = await tx.get(sql`SELECT token_hash FROM bearer_tokens WHERE ${from}
    ORDER BY token_hash LIMIT 1 OFFSET ${limit - 1}`);
  const last = row && asText(row['token_hash']);
  const to = last === undefined ? ALL : sql`token_hash <= ${last}`;
  await tx.run(sql`DELETE FROM bearer_tokens
    WHERE ${from} AND ${to} AND (expires_at < ${beforeMs} OR revoked_at < ${beforeMs})`);
  return last;
}

/** No bound. */
const ALL: Sql = sql`1 = 1`;
