import type { PostId, UserId } from '../../core/ids.js';
import { EVERY_KEY } from '../../core/page.js';
import type { Tx } from '../../database/engine.js';
import type { JobQueue } from '../../stores/job-queue.js';
import { markRepostsForSearch } from '../../database/search-pending.js';
import { userPosts } from '../../stores/timeline-entries.js';
import { indexPostIds, type IndexDeps } from './index-posts.js';

const CHUNK = 100;

/** Orders that the index looks at all of an author's posts again: in the transaction that opens or closes the account. */
export async function orderAuthorIndexing(
  tx: Tx,
  { queue }: { readonly queue: JobQueue },
  userId: UserId,
): Promise<void> {
  await queue.enqueue(tx, { kind: 'index-author', payload: { userId: String(userId) } });
}

/**
 * Looks at the author's next posts below `belowId`, newest first, and at the reposts of them; resolves to where to go on.
 */
export async function indexAuthorChunk(
  tx: Tx,
  deps: IndexDeps,
  userId: UserId,
  belowId: PostId | undefined,
): Promise<PostId | undefined> {
  const range = { above: EVERY_KEY.above, upTo: belowId === undefined ? EVERY_KEY.upTo : belowId - 1n };
  const ids = await userPosts.list(tx, userId, range, 'newest', CHUNK);
  await indexPostIds(tx, deps, ids);
  await markRepostsForSearch(tx, ids);
  return ids.length === CHUNK ? ids.at(-1) : undefined;
}
