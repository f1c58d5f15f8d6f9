import type { AppId, PostId } from '../core/ids.js';
import { asId, asNumber } from './decode.js';
import type { Queryable, Tx } from './engine.js';
import { list, sql } from './sql.js';

/** How many posts a project was given on a day (`usageDay`). */
export interface DayUsage {
  readonly day: number;
  readonly posts: number;
}

/**
 * Counts posts for an app on a day, each that was not counted on that day before. Right statement by statement: whoever
 * adds a row counts it. Posts that are gone meanwhile are not counted.
 */
export async function countUsage(
  tx: Tx,
  appId: AppId,
  day: number,
  postIds: readonly PostId[],
): Promise<void> {
  // In the order of ids, so that processes that count the same posts do not wait for each other in a circle.
  const added = await tx.run(sql`
    INSERT INTO usage_posts (app_id, day, post_id)
    SELECT ${appId}, ${day}, id FROM posts WHERE id IN ${list(postIds)} ORDER BY id
    ON CONFLICT DO NOTHING`);
  if (added === 0) return;
  await tx.run(sql`
    INSERT INTO usage_days (app_id, day, posts) VALUES (${appId}, ${day}, ${added})
    ON CONFLICT (app_id, day) DO UPDATE SET posts = usage_days.posts + ${added}`);
}

/** How many posts an app was given from `first` to `last`, both included: the days on which there were any, in order. */
export async function listUsage(
  db: Queryable,
  appId: AppId,
  first: number,
  last: number,
): Promise<DayUsage[]> {
  const rows = await db.all(sql`
    SELECT day, posts FROM usage_days WHERE app_id = ${appId} AND day >= ${first} AND day <= ${last}
    ORDER BY day`);
  return rows.map((row) => ({ day: asNumber(row.day), posts: asNumber(row.posts) }));
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
