import type { IndexAuthorPayload } from '../../core/jobs.js';
import type { JobHandler } from '../jobs/handler.js';
import type { PostId, UserId } from '../../core/ids.js';
import { EVERY_KEY } from '../../core/page.js';
import type { Tx, Engine } from '../../database/engine.js';
import type { JobQueue } from '../../stores/job-queue.js';
import { markRepostsForSearch } from '../../database/search-pending.js';
import { findVersions } from '../../stores/posts.js';
import { userPosts } from '../../stores/timeline-entries.js';
import { indexPostIds, type IndexDeps } from './index-posts.js';

const CHUNK = 100;

/** Enqueues the reindexing of all posts of an author. Must run in the transaction that changes the account. */
export async function enqueueAuthorIndexing(
  tx: Tx,
  { queue }: { readonly queue: JobQueue },
  userId: UserId,
): Promise<void> {
  await queue.enqueue(tx, { kind: 'index-author', payload: { userId: String(userId) } });
}

/**
 * Reindexes the author's next posts below `belowId`, newest first, and their reposts. Resolves to the id to continue
 * below, or undefined at the end.
 */
async function indexAuthorChunk(
  tx: Tx,
  deps: IndexDeps,
  userId: UserId,
  belowId: PostId | undefined,
): Promise<PostId | undefined> {
  const range = { above: EVERY_KEY.above, upTo: belowId === undefined ? EVERY_KEY.upTo : belowId - 1n };
  const ids = await userPosts.list(tx, userId, range, 'newest', CHUNK);
  const versions = (await findVersions(tx, ids)).map(({ id }) => id);
  await indexPostIds(tx, deps, [...new Set([...ids, ...versions])]);
  // Reposts in archives name any version.
  await markRepostsForSearch(tx, versions);
  return ids.length === CHUNK ? ids.at(-1) : undefined;
}

/**
 * Creates the handler that reindexes an account after it was protected, unprotected or suspended, in chunks of posts.
 */
export function createIndexAuthor({ engine }: { readonly engine: Engine }): JobHandler<IndexAuthorPayload> {
  return (run) =>
    engine.tx('index author', async (tx) => {
      const { userId, belowId } = run.payload;
      const below = belowId === undefined ? undefined : (BigInt(belowId) as PostId);
      const last = await indexAuthorChunk(tx, engine, BigInt(userId) as UserId, below);
      if (last === undefined) return run.completeIn(tx);
      return run.continueWith(tx, { userId, belowId: String(last) });
    });
}
