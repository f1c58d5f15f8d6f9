import { MAX_ID, type PostId } from '../../core/ids.js';
import type { KeyRange } from '../../core/page.js';
import type { Post } from '../../core/post.js';
import type { Engine, Queryable, Tx } from '../../database/engine.js';
import { findPendingIds } from '../../database/search-pending.js';
import { findSearchRebuild } from '../../database/search-rebuild.js';
import { findUntimed } from '../../database/search-untimed.js';
import type { Difference, Look, Part } from '../../stores/checks/part.js';
import { hasJobWith } from '../../stores/jobs.js';
import { findPost, pagePosts } from '../../stores/posts.js';
import { documentOf, loadSearchable } from '../search/document.js';
import { indexPostIds } from '../search/index-posts.js';
import { indexable, isTimed } from '../search/post-terms.js';
import { hasArchivedVersions } from './post-lists.js';

type IndexEngine = Pick<Engine, 'search'>;

/** Many posts share their words: the more of them, the fewer lookups. */
const CHUNK = 2_000;

/** Creates the check of the search index, which is that of an engine. */
export function indexPart(engine: IndexEngine): Part {
  return { kind: 'index', of: 'search index', look: (db) => look(db, engine) };
}

async function* look(db: Queryable, engine: IndexEngine): AsyncGenerator<Look> {
  // A rebuild adds every post again, and the posts behind it may be missing.
  if ((await findSearchRebuild(db)) !== undefined) return;
  let above = -1n as PostId;
  for (;;) {
    const posts = await pagePosts(db, above, CHUNK);
    const last = posts.length < CHUNK ? undefined : posts.at(-1)?.id;
    const range = { above, upTo: last ?? (MAX_ID as PostId) };
    const pending = await findPendingIds(db, range.above, range.upTo);
    const ids = (await differingAmong(db, engine, posts, range)).filter((id) => !pending.has(id));
    const suspects = ids.map((id) => ({
      name: `search index post_id=${id}`,
      settle: (tx: Tx, mends: boolean) => settle(tx, engine, id, mends),
    }));
    yield { checked: posts.length, suspects };
    if (last === undefined) return;
    above = last;
  }
}

/** Returns the ids of a range, of which `posts` are all posts, that are not indexed as they should be. */
async function differingAmong(
  db: Queryable,
  { search }: IndexEngine,
  posts: readonly Post[],
  range: KeyRange,
): Promise<PostId[]> {
  const searchable = await loadSearchable(
    db,
    posts.map((post) => indexable(post)),
  );
  const documents = searchable.map((each) => documentOf(each));
  const untimed = await findUntimed(db);
  const outside = searchable
    .map(({ post }) => post)
    .filter((post) => !isTimed(post) && (post.id <= untimed.above || post.id > untimed.upTo));
  const differing = new Set([
    ...(await search.compare(db, documents, range)),
    ...outside.map(({ id }) => id),
  ]);
  for (const post of posts) if (hasArchivedVersions(post)) differing.delete(post.id);
  return [...differing];
}

async function settle(
  tx: Tx,
  engine: IndexEngine,
  id: PostId,
  mends: boolean,
): Promise<Difference | undefined> {
  const range = { above: id - 1n, upTo: id };
  const post = await findPost(tx, id);
  if ((await differingAmong(tx, engine, post ? [post] : [], range)).length === 0) return undefined;
  if ((await findPendingIds(tx, range.above, range.upTo)).has(id) || (await isReindexed(tx, post)))
    return undefined;
  if (mends) await indexPostIds(tx, engine, [id]);
  return { what: post ? 'is not indexed as it is' : 'is indexed, but not stored' };
}

/** Reports whether a job indexes all posts of the author, or of the author of what is reposted. */
async function isReindexed(db: Queryable, post: Post | undefined): Promise<boolean> {
  const original = post?.repostedPostId === undefined ? undefined : await findPost(db, post.repostedPostId);
  for (const authorId of [post?.authorId, original?.authorId]) {
    if (authorId === undefined) continue;
    if (await hasJobWith(db, 'index-author', JSON.stringify(String(authorId)))) return true;
  }
  return false;
}
