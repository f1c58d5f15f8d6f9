import type { PostId } from '../../core/ids.js';
import type { Engine, Tx } from '../../database/engine.js';
import { pagePosts } from '../../stores/posts.js';
import { deleteSearchRebuild, findSearchRebuild, putSearchRebuild } from '../../database/search-rebuild.js';
import { clearUntimed } from '../../database/search-untimed.js';
import { indexPosts } from './index-posts.js';

export interface RebuildOptions {
  /** Clears the index and the progress of an interrupted rebuild first; for a damaged index. */
  readonly clear?: boolean;
  /** Called after each chunk with the number of posts processed. */
  readonly onProgress?: (posts: number) => void;
}

/** Small enough to delay other writers only briefly. */
const CHUNK = 500;

const BEFORE_ALL = -1n as PostId;

/**
 * Reindexes every stored post, one chunk per transaction, during normal operation. An interrupted rebuild continues
 * after its last chunk: then the result is `resumed`.
 */
export async function rebuildIndex(engine: Engine, options: RebuildOptions = {}) {
  if (options.clear) await clearIndex(engine);
  const start = options.clear ? undefined : await findSearchRebuild(engine);
  let afterId: PostId | undefined = start ?? BEFORE_ALL;
  let posts = 0;
  while (afterId !== undefined) {
    const from: PostId = afterId;
    const chunk = await engine.tx('rebuild index', (tx) => rebuildChunk(tx, engine, from));
    posts += chunk.posts;
    afterId = chunk.lastId;
    options.onProgress?.(posts);
  }
  return { posts, resumed: start !== undefined };
}

async function clearIndex(engine: Engine): Promise<void> {
  await engine.tx('clear index', async (tx) => {
    await engine.search.clear(tx);
    await clearUntimed(tx);
    // Marks the rebuild as started, so that an interruption from here on resumes it.
    await putSearchRebuild(tx, BEFORE_ALL);
  });
}

/** Indexes one chunk. `lastId` is undefined at the end. */
async function rebuildChunk(
  tx: Tx,
  engine: Engine,
  afterId: PostId,
): Promise<{ readonly posts: number; readonly lastId?: PostId }> {
  const posts = await pagePosts(tx, afterId, CHUNK);
  await indexPosts(tx, engine, posts);
  const lastId = posts.length === CHUNK ? posts.at(-1)?.id : undefined;
  await (lastId === undefined ? deleteSearchRebuild(tx) : putSearchRebuild(tx, lastId));
  return { posts: posts.length, lastId };
}
