import type { AppId, PostId } from '../core/ids.js';
import { parseTimestamp } from '../core/timestamp.js';
import { usageDay } from '../core/usage-period.js';
import * as v from '../core/validators.js';
import { insertUsage } from '../stores/usage.js';
import { requireApps } from './credentials.js';
import { referencesIn } from './known.js';
import { requireUnique, type Check, type Load } from './pass.js';
import { idOf, listOf, objectOf, valuesOf } from './readers.js';

const DAY = /^\d{4}-\d\d-\d\d$/;
const daySchema = { type: 'string', pattern: DAY.source, description: 'a day (UTC) as 2022-02-01' };

/** Reads a day as `usageDay` numbers it. */
const day = v.leaf(
  daySchema,
  { kind: 'pattern', pattern: DAY, description: daySchema.description },
  (value) => {
    const timeMs =
      typeof value === 'string' && DAY.test(value) ? parseTimestamp(`${value}T00:00:00Z`) : undefined;
    return timeMs === undefined ? undefined : usageDay(timeMs);
  },
);

const count = v.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

const usage = objectOf({
  app: v.required(idOf<AppId>()),
  day: v.required(day),
  posts: count,
  requests: count,
  counted_posts: valuesOf(idOf<PostId>()),
});
export const readUsage = listOf(usage);
type WorldUsage = v.ValueOf<typeof usage>;

/** Checks that apps and posts exist, and that no app has a day twice. */
export async function checkUsage(
  entries: readonly WorldUsage[],
  declaredApps: ReadonlySet<string>,
  check: Check,
): Promise<void> {
  const { known, faults } = check;
  requireUnique(entries, 'day', (entry) => `${entry.app} ${entry.day}`, faults);
  await requireApps(entries, declaredApps, check);
  await known.requirePosts(referencesIn(entries, 'counted_posts'), faults);
  for (const { posts = 0, counted_posts: counted = [], path } of entries) {
    if (new Set(counted).size > posts) faults.add(`${path}.counted_posts`, `has more than ${posts} posts`);
  }
}

/** Stores the days of apps that are not in the database. */
export async function storeUsage(entries: readonly WorldUsage[], load: Load): Promise<void> {
  for (const { app: appId, day, posts = 0, requests = 0, counted_posts: postIds = [] } of entries) {
    if (await insertUsage(load.tx, { appId, day, posts, requests, postIds })) load.added('usage');
  }
}
