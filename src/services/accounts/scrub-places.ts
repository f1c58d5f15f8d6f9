import type { PostId, UserId } from '../../core/ids.js';
import { EVERY_KEY } from '../../core/page.js';
import { findVersions, scrubPost } from '../../stores/posts.js';
import { userPosts } from '../../stores/timeline-entries.js';
import { enqueueAuthorIndexing } from '../search/index-author.js';
import type { AccountDeps } from './account-deps.js';

/** The number of posts per transaction. */
const CHUNK = 200;

type ScrubDeps = Pick<AccountDeps, 'engine' | 'clock' | 'queue'>;

/**
 * Removes the places from all posts of an account and resolves to the number of changed posts. Compliance jobs report
 * them as `scrub_geo` (docs/api/objects.md#visibility); the search index is updated soon after. Resumable.
 */
export async function scrubPlaces(deps: ScrubDeps, userId: UserId): Promise<number> {
  const { engine, clock } = deps;
  let scrubbed = 0;
  let upTo: bigint = EVERY_KEY.upTo;
  for (let isEnd = false; !isEnd;) {
    const chunk = await engine.tx('scrub places', async (tx) => {
      const ids = await userPosts.list(tx, userId, { above: EVERY_KEY.above, upTo }, 'newest', CHUNK);
      let count = 0;
      for (const post of await findVersions(tx, ids)) {
        if (await scrubPost(tx, post, clock())) count += 1;
      }
      const isLast = ids.length < CHUNK;
      if (isLast) await enqueueAuthorIndexing(tx, deps, userId);
      return { count, isLast, last: ids.at(-1) ?? (0n as PostId) };
    });
    scrubbed += chunk.count;
    isEnd = chunk.isLast;
    upTo = chunk.last - 1n;
  }
  return scrubbed;
}
