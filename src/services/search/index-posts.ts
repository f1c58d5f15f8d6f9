import type { PostId } from '../../core/ids.js';
import type { Post } from '../../core/post.js';
import type { Engine, Tx } from '../../database/engine.js';
import { findPosts } from '../../stores/posts.js';
import { hasSearchPending, markRepostsForSearch, takeSearchPending } from '../../database/search-pending.js';
import type { TimeSpan } from '../../database/search.js';
import { widenUntimed } from '../../database/search-untimed.js';
import { documentOf } from './document.js';
import { loadSearchable } from './load-searchable.js';
import { indexable, isTimed, type IndexablePost } from './post-terms.js';

export type IndexDeps = Pick<Engine, 'search'>;

/** What one transaction puts into the index: milliseconds of work. */
const INDEX_CHUNK = 200;

/** Puts stored posts into the index as they are now, or takes them out where they are not to be found. */
export function indexPosts(tx: Tx, deps: IndexDeps, posts: readonly Post[]): Promise<void> {
  return putPosts(tx, deps, posts.map(indexable));
}

async function putPosts(tx: Tx, { search }: IndexDeps, posts: readonly IndexablePost[]): Promise<void> {
  const documents = (await loadSearchable(tx, posts)).map(documentOf);
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

/** The same for posts by their ids; what is not stored any more is taken out. */
export async function indexPostIds(tx: Tx, deps: IndexDeps, ids: readonly PostId[]): Promise<void> {
  const stored = await findPosts(tx, ids);
  await indexPosts(tx, deps, [...stored.values()]);
  await deps.search.remove(
    tx,
    ids.filter((id) => !stored.has(id)),
  );
}

/** What archives bring (archive/write-posts.ts); posts that came after their reposts make these look different. */
export async function indexImported(
  tx: Tx,
  deps: IndexDeps,
  posts: readonly IndexablePost[],
  superseded: readonly PostId[],
): Promise<void> {
  await putPosts(tx, deps, posts);
  // Afterwards: `posts` may have a version among them that was fetched before it was edited.
  await deps.search.remove(tx, superseded);
  const ids = posts.map(({ id }) => id);
  await markRepostsForSearch(tx, ids, ids);
}

/** Brings the oldest changes that the index has yet to learn into it, of those times; false when none are left. */
export function indexPending(engine: Engine, limit = INDEX_CHUNK, within?: TimeSpan): Promise<boolean> {
  return engine.tx('index posts', async (tx) => {
    const ids = await takeSearchPending(tx, limit, within);
    await indexPostIds(tx, engine, ids);
    return ids.length === limit;
  });
}

/** Brings all of them into it, a chunk at a time; false when there were none. */
export async function indexAllPending(engine: Engine, isStopped: () => boolean): Promise<boolean> {
  let hadSome = false;
  while (!isStopped() && (await hasSearchPending(engine))) {
    await indexPending(engine);
    hadSome = true;
  }
  return hadSome;
}

/** Does the index's upkeep for a moment; false when none is left. */
export function tidyIndex(engine: Engine): Promise<boolean> {
  return engine.tx('tidy search index', (tx) => engine.search.tidy(tx));
}

/** Makes sure that the index knows of every post that was made within the times, whatever else it has yet to learn. */
export async function catchUpIndex(engine: Engine, within: TimeSpan): Promise<void> {
  while (await hasSearchPending(engine, within)) await indexPending(engine, INDEX_CHUNK, within);
}
