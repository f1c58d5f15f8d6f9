import type { AppId, PostId } from '../core/ids.js';
import { asId, asNumber } from '../database/decode.js';
import type { Queryable, Tx } from '../database/engine.js';
import { list, sql } from '../database/sql.js';

/** What an app used on a day (`usageDay`): the posts that it was given, and its requests of any kind. */
export interface DayUsage {
  readonly day: number;
  readonly posts: number;
  readonly requests: number;
}

/** What an app used on a day and what is not counted yet. */
export interface NewUsage {
  readonly appId: AppId;
  readonly day: number;
  readonly postIds: readonly PostId[];
  readonly requests: number;
}

/**
 * Counts requests of an app on a day, and posts, each that was not counted on that day before. Right statement by
 * statement: whoever adds a row counts it. Posts that are gone meanwhile are not counted, nor is anything of an app that
 * is.
 */
export async function countUsage(tx: Tx, { appId, day, postIds, requests }: NewUsage): Promise<void> {
  const posts = postIds.length > 0 ? await addPosts(tx, appId, day, postIds) : 0;
  if (posts + requests === 0) return;
  await tx.run(sql`
    INSERT INTO usage_days (app_id, day, posts, requests)
    SELECT id, ${day}, ${posts}, ${requests} FROM apps WHERE id = ${appId}
    ON CONFLICT (app_id, day) DO UPDATE
    SET posts = usage_days.posts + ${posts}, requests = usage_days.requests + ${requests}`);
}

/** Resolves to how many of the posts were not there for this day. */
function addPosts(tx: Tx, appId: AppId, day: number, postIds: readonly PostId[]): Promise<number> {
  // In the order of ids, so that processes that count the same posts do not wait for each other in a circle.
  return tx.run(sql`
    INSERT INTO usage_posts (app_id, day, post_id)
    SELECT ${appId}, ${day}, id FROM posts WHERE id IN ${list(postIds)} ORDER BY id
    ON CONFLICT DO NOTHING`);
}

/** What an app used from `first` to `last`, both included: the days on which there was anything, in order. */
export async function listUsage(
  db: Queryable,
  appId: AppId,
  first: number,
  last: number,
): Promise<DayUsage[]> {
  const rows = await db.all(sql`
    SELECT day, posts, requests FROM usage_days WHERE app_id = ${appId} AND day >= ${first} AND day <= ${last}
    ORDER BY day`);
  return rows.map((row) => ({
    day: asNumber(row.day),
    posts: asNumber(row.posts),
    requests: asNumber(row.requests),
  }));
}

/**
 * Forgets up to `limit` of the posts of an app that were counted before a day, the oldest first: nothing can count twice
 * on that day any more. False when there were no more.
 */
export async function deleteUsagePostsBefore(
  tx: Tx,
  appId: AppId,
  day: number,
  limit: number,
): Promise<boolean> {
  const last = await tx.get(sql`
    SELECT day, post_id FROM usage_posts WHERE app_id = ${appId} AND day < ${day}
    ORDER BY day, post_id LIMIT 1 OFFSET ${limit - 1}`);
  const end = last
    ? sql`(day, post_id) <= (${asNumber(last.day)}, ${asId<PostId>(last.post_id)})`
    : sql`day < ${day}`;
  await tx.run(sql`DELETE FROM usage_posts WHERE app_id = ${appId} AND ${end}`);
  return last !== undefined;
}

/** Forgets everything about an app that is gone. */
export async function deleteUsageOf(tx: Tx, appId: AppId): Promise<void> {
  await tx.run(sql`DELETE FROM usage_posts WHERE app_id = ${appId}`);
  await tx.run(sql`DELETE FROM usage_days WHERE app_id = ${appId}`);
}
