import type { AppId, PostId } from '../core/ids.js';
import type { Queryable, Tx } from '../database/engine.js';
import { asId, asNumber, list, sql } from '../database/sql.js';
import { deleteBy, defineTable } from '../database/table.js';
import { grouped } from '../core/grouped.js';

/** An app's usage on one day (`usageDay`): the posts returned to it and its requests of any kind. */
export interface DayUsage {
  readonly day: number;
  readonly posts: number;
  readonly requests: number;
}

/** An app's usage on one day that is not stored yet. */
export interface NewUsage {
  readonly appId: AppId;
  readonly day: number;
  readonly postIds: readonly PostId[];
  readonly requests: number;
}

/**
 * Adds an app's requests on a day, and posts that were not counted on that day before. Correct under concurrency:
 * only the process that inserts a post's row counts it. Posts and apps deleted meanwhile are skipped.
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

/** Inserts the posts that were not counted for this day. Returns their number. */
function addPosts(tx: Tx, appId: AppId, day: number, postIds: readonly PostId[]): Promise<number> {
  // Ordered by id, so that processes that insert the same posts do not deadlock.
  return tx.run(sql`
    INSERT INTO usage_posts (app_id, day, post_id)
    SELECT ${appId}, ${day}, id FROM posts WHERE id IN ${list(postIds)} ORDER BY id
    ON CONFLICT DO NOTHING`);
}

/** An app's usage on one day, and the posts that do not count again on that day. */
interface AppDay extends DayUsage {
  readonly appId: AppId;
  readonly postIds: readonly PostId[];
}

/** Stores an app's usage on a day. Returns false and changes nothing if there is any. */
export async function insertUsage(
  tx: Tx,
  { appId, day, posts, requests, postIds }: AppDay,
): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO usage_days (app_id, day, posts, requests) VALUES (${appId}, ${day}, ${posts}, ${requests})
    ON CONFLICT DO NOTHING`);
  if (inserted === 1 && postIds.length > 0) await addPosts(tx, appId, day, postIds);
  return inserted === 1;
}

/** Returns the usage of all apps, each day once, in order; with the posts counted on one of the days. */
export async function listAllUsage(db: Queryable, countedOn: number): Promise<AppDay[]> {
  const rows = await db.all(
    sql`SELECT app_id, post_id FROM usage_posts WHERE day = ${countedOn} ORDER BY app_id, post_id`,
  );
  const counted = grouped(rows.map((row) => [asId<AppId>(row['app_id']), asId<PostId>(row['post_id'])]));
  const days = await db.all(sql`SELECT app_id, day, posts, requests FROM usage_days ORDER BY app_id, day`);
  return days.map((row) => {
    const [appId, day]: [AppId, number] = [asId(row['app_id']), asNumber(row['day'])];
    const postIds = day === countedOn ? (counted.get(appId) ?? []) : [];
    return { appId, day, posts: asNumber(row['posts']), requests: asNumber(row['requests']), postIds };
  });
}

/** Replaces an app's posts of the days from `first` on by `posts` on `day`; its requests stay. */
export async function replaceUsage(
  tx: Tx,
  {
    appId,
    first,
    day,
    posts,
  }: { readonly appId: AppId; readonly first: number; readonly day: number; readonly posts: number },
): Promise<void> {
  await tx.run(sql`UPDATE usage_days SET posts = 0 WHERE app_id = ${appId} AND day >= ${first}`);
  await tx.run(sql`
    INSERT INTO usage_days (app_id, day, posts, requests)
    SELECT id, ${day}, ${posts}, 0 FROM apps WHERE id = ${appId}
    ON CONFLICT (app_id, day) DO UPDATE SET posts = ${posts}`);
}

const DAYS = defineTable<DayUsage, bigint>('usage_days', 'day', {
  day: ['day', asNumber],
  posts: ['posts', asNumber],
  requests: ['requests', asNumber],
});

/** Returns an app's usage from `first` to `last`, both inclusive: the days with any usage, in order. */
export function listUsage(db: Queryable, appId: AppId, first: number, last: number): Promise<DayUsage[]> {
  return DAYS.list(db, sql`app_id = ${appId} AND day >= ${first} AND day <= ${last} ORDER BY day`);
}

/**
 * Deletes up to `limit` posts of an app that were counted before `day`, oldest first. They only prevent double
 * counting, and those days are complete. Returns false when none is left.
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

/** Deletes all usage of a deleted app. */
export const deleteUsageOf = deleteBy<AppId>('app_id', 'usage_posts', 'usage_days');
