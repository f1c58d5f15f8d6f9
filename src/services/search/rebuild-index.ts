import type { PostId } from '../../core/ids.js';
import type { Engine, Tx } from '../../database/engine.js';
import { pagePosts } from '../../stores/posts.js';
import { deleteSearchRebuild, findSearchRebuild, putSearchRebuild } from '../../database/search-rebuild.js';
import { forgetUntimed } from '../../database/search-untimed.js';
import { indexPosts } from './index-posts.js';

export interface RebuildOptions {
  /** Forgets the index and the place where a rebuild was broken off first: for an index that is damaged. */
  readonly clear?: boolean;
  /** Told after each chunk of how many posts were looked at. */
  readonly onProgress?: (posts: number) => void;
}

export interface RebuildResult {
  readonly posts: number;
  /** Whether it went on where an earlier one was broken off. */
  readonly resumed: boolean;
}

/** Little enough to hold other writers up for moments only. */
const CHUNK = 500;

const BEFORE_ALL = -1n as PostId;

/**
 * Puts every stored post into the index again, a chunk in each transaction, while others read and write. Broken off, it
 * goes on from its last chunk.
 */
export async function rebuildIndex(engine: Engine, options: RebuildOptions = {}): Promise<RebuildResult> {
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
    await forgetUntimed(tx);
    // Whoever breaks off from here on has begun.
    await putSearchRebuild(tx, BEFORE_ALL);
  });
}

/** The id to go on after is undefined at the end. */
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
