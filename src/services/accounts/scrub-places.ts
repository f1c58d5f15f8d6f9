import type { Clock } from '../../core/clock.js';
import type { PostId, UserId } from '../../core/ids.js';
import { EVERY_KEY } from '../../core/page.js';
import type { Engine } from '../../database/engine.js';
import type { JobQueue } from '../../stores/job-queue.js';
import { findPosts } from '../../stores/posts.js';
import { scrubPost } from '../../stores/scrubbed-posts.js';
import { userPosts } from '../../stores/timeline-entries.js';
import { orderAuthorIndexing } from '../search/index-author.js';

/** What one transaction looks at. */
const CHUNK = 200;

export interface ScrubDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly queue: JobQueue;
}

/**
 * Takes the place off every post of an account; compliance jobs tell of it as `scrub_geo` (docs/api/objects.md#visibility), and
 * search forgets it soon after. Resolves to how many posts had one. Broken off, the next call goes on.
 */
export async function scrubPlaces(deps: ScrubDeps, userId: UserId): Promise<number> {
  const { engine, clock } = deps;
  let scrubbed = 0;
  let upTo: bigint = EVERY_KEY.upTo;
  for (let isEnd = false; !isEnd;) {
    const chunk = await engine.tx('scrub places', async (tx) => {
      const ids = await userPosts.list(tx, userId, { above: EVERY_KEY.above, upTo }, 'newest', CHUNK);
      let count = 0;
      for (const post of (await findPosts(tx, ids)).values()) {
        if (await scrubPost(tx, post, clock())) count += 1;
      }
      const isLast = ids.length < CHUNK;
      if (isLast) await orderAuthorIndexing(tx, deps, userId);
      return { count, isLast, last: ids.at(-1) ?? (0n as PostId) };
    });
    scrubbed += chunk.count;
    isEnd = chunk.isLast;
    upTo = chunk.last - 1n;
  }
  return scrubbed;
}
