import type { PostId } from '../../core/ids.js';
import type { Post } from '../../core/post.js';
import type { Engine, Tx } from '../../database/engine.js';
import { findPosts } from '../../stores/posts.js';
import { hasSearchPending, markRepostsForSearch, takeSearchPending } from '../../database/search-pending.js';
import type { TimeSpan } from '../../database/search.js';
import { widenUntimed } from '../../database/search-untimed.js';
import { documentOf, loadSearchable } from './document.js';
import { indexable, isTimed, type IndexablePost } from './post-terms.js';

export type IndexDeps = Pick<Engine, 'search'>;

/** The number of posts per transaction: milliseconds of work. */
const INDEX_CHUNK = 200;

/** Indexes stored posts in their current state, and removes from the index those that search must not find. */
export function indexPosts(tx: Tx, deps: IndexDeps, posts: readonly Post[]): Promise<void> {
  return putPosts(
    tx,
    deps,
    posts.map((post) => indexable(post)),
  );
}

async function putPosts(tx: Tx, { search }: IndexDeps, posts: readonly IndexablePost[]): Promise<void> {
  const documents = (await loadSearchable(tx, posts)).map((post) => documentOf(post));
  await widenUntimed(tx, ascending(posts.filter((post) => !isTimed(post))));
  await search.put(tx, documents);
  const found = new Set(documents.map(({ id }) => id));
  await search.remove(
    tx,
    posts.map(({ id }) => id).filter((id) => !found.has(id)),
  );
}

function ascending(posts: readonly IndexablePost[]): PostId[] {
  return posts.map(({ id }) => id).sort((one, other) => (one < other ? -1 : 1));
}

/** Indexes posts by id; removes ids that are no longer stored. */
export async function indexPostIds(tx: Tx, deps: IndexDeps, ids: readonly PostId[]): Promise<void> {
  const stored = await findPosts(tx, ids);
  await indexPosts(tx, deps, [...stored.values()]);
  await deps.search.remove(
    tx,
    ids.filter((id) => !stored.has(id)),
  );
}

/** Indexes posts imported from archives (archive/write-posts.ts), and marks their reposts for reindexing. */
export async function indexImported(
  tx: Tx,
  deps: IndexDeps,
  posts: readonly IndexablePost[],
  superseded: readonly PostId[],
): Promise<void> {
  await putPosts(tx, deps, posts);
  // Removal comes last: `posts` may contain a version that was archived before its edit.
  await deps.search.remove(tx, superseded);
  const ids = posts.map(({ id }) => id);
  await markRepostsForSearch(tx, ids, ids);
}

/** Indexes the oldest pending changes, optionally limited to a time span. Resolves to false when none remain. */
export function indexPending(engine: Engine, limit = INDEX_CHUNK, within?: TimeSpan): Promise<boolean> {
  return engine.tx('index posts', async (tx) => {
    const ids = await takeSearchPending(tx, limit, within);
    await indexPostIds(tx, engine, ids);
    return ids.length === limit;
  });
}

/** Indexes all pending changes in chunks. Resolves to false when there were none. */
export async function indexAllPending(engine: Engine, isStopped: () => boolean): Promise<boolean> {
  let hadSome = false;
  while (!isStopped() && (await hasSearchPending(engine))) {
    await indexPending(engine);
    hadSome = true;
  }
  return hadSome;
}

/** Runs one step of index maintenance. Resolves to false when none remains. */
export function tidyIndex(engine: Engine): Promise<boolean> {
  return engine.tx('tidy search index', (tx) => engine.search.tidy(tx));
}

/** Indexes all pending posts of a time span. */
export async function catchUpIndex(engine: Engine, within: TimeSpan): Promise<void> {
  while (await hasSearchPending(engine, within)) await indexPending(engine, INDEX_CHUNK, within);
}
