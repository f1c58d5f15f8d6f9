import { DAY_MS, usageDay } from '../../core/usage-period.js';
import type { Queryable } from '../../database/engine.js';
import { listAllUsage } from '../../stores/usage.js';
import { entryOf, someOf, unless, worldTimeOf, type Entry } from './entry.js';

interface Exported {
  hasApp(id: bigint): boolean;
  hasPost(id: bigint): boolean;
}

/** Returns the usage of each exported app and day. The posts that do not count again are those of today. */
export async function exportUsage(
  db: Queryable,
  { hasApp, hasPost }: Exported,
  nowMs: number,
): Promise<Entry[]> {
  const days = await listAllUsage(db, usageDay(nowMs));
  return days
    .filter(({ appId }) => hasApp(appId))
    .map(({ appId, day, posts, requests, postIds }) =>
      entryOf({
        app: String(appId),
        day: worldTimeOf(day * DAY_MS).slice(0, 10),
        posts: unless(0, posts),
        requests: unless(0, requests),
        counted_posts: someOf(postIds.filter(hasPost).map(String)),
      }),
    );
}
