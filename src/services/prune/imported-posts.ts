import type { PostId } from '../../core/ids.js';
import { versionIds, type Post } from '../../core/post.js';
import type { Engine, Queryable, Tx } from '../../database/engine.js';
import { withoutEvents } from '../../database/feed.js';
import { coolTimelinesOfFollowers } from '../../stores/home-timelines.js';
import { deleteImportedObjects, findImportedObjects } from '../../stores/imports.js';
import {
  bookmarkedPosts,
  likedPosts,
  listQuotesOf,
  listRepliesTo,
  listRepostsOf,
  pinnedByAuthors,
  postsInSpaces,
  reportedPosts,
  votedPolls,
} from '../../stores/post-uses.js';
import { findPosts, pagePostsBefore } from '../../stores/posts.js';
import { deletePostWithConsequences } from '../posts/delete-post.js';

/** Posts that were looked at together. */
export interface OldPosts {
  /** Those that go. */
  readonly unused: readonly Post[];
  /** The number of those that stay because they are used. */
  readonly used: number;
}

/** Posts that are looked at together. */
const PAGE = 500;

/** Posts that one transaction deletes: others wait for it. */
const CHUNK = 100;

/** Yields all imported posts that were written before a time, a page at a time; some pages have none. */
export async function* oldPosts(db: Queryable, beforeMs: number): AsyncGenerator<OldPosts> {
  let after = -1n as PostId;
  for (;;) {
    const page = await pagePostsBefore(db, after, beforeMs, PAGE);
    const last = page.at(-1);
    if (!last) return;
    yield await sortOut(db, page, beforeMs);
    if (page.length < PAGE) return;
    after = last.id;
  }
}

/**
 * Deletes posts of a page that are still unused, with their old versions. They are neither deleted by their authors nor
 * counted: nobody is notified, the counts of their archives stay, and importing them again brings them back.
 * Returns the number of posts deleted.
 */
export async function deleteOldPosts(
  engine: Engine,
  posts: readonly Post[],
  beforeMs: number,
): Promise<number> {
  let deleted = 0;
  for (let at = 0; at < posts.length; at += CHUNK) {
    const chunk = posts.slice(at, at + CHUNK).map(({ id }) => id);
    deleted += await engine.tx('prune posts', (tx) => deleteChunk(withoutEvents(tx), chunk, beforeMs));
  }
  return deleted;
}

async function deleteChunk(tx: Tx, ids: readonly PostId[], beforeMs: number): Promise<number> {
  const stored = [...(await findPosts(tx, ids)).values()];
  const { unused } = await sortOut(tx, stored, beforeMs);
  const gone = new Map<PostId, Post>();
  for (const post of unused) {
    if (gone.has(post.id)) continue;
    // Its time is not that of a deletion, which compliance jobs would report.
    for (const each of await deletePostWithConsequences(tx, post, undefined)) gone.set(each.id, each);
  }
  if (gone.size === 0) return 0;
  await deleteImportedObjects(tx, 'post', [...gone.keys()]);
  await coolTimelinesOfFollowers(tx, [...new Set([...gone.values()].map(({ authorId }) => authorId))]);
  return gone.size;
}

/** Returns those of the posts that would be deleted. */
export async function unusedAmong(
  db: Queryable,
  posts: readonly Post[],
  beforeMs: number,
): Promise<ReadonlySet<PostId>> {
  return new Set((await sortOut(db, posts, beforeMs)).unused.map(({ id }) => id));
}

/** Tells the unused ones among posts, of which some are imported. All versions of an edited post go together. */
async function sortOut(db: Queryable, page: readonly Post[], beforeMs: number): Promise<OldPosts> {
  const all = await withVersions(db, page);
  const imported = await findImportedObjects(db, 'post', [...all.keys()]);
  const old = [...all.values()].filter(({ id, createdAtMs }) => imported.has(id) && createdAtMs < beforeMs);
  const used = await usedAmong(db, old, beforeMs);
  const free = new Set(old.filter(({ id }) => !used.has(id)).map(({ id }) => id));
  const isFree = (post: Post): boolean =>
    [post.id, ...versionIds(post)].every((id) => free.has(id) || !all.has(id));
  const inPage = new Set(page.map(({ id }) => id));
  const ofPage = old.filter(({ id }) => inPage.has(id));
  const unused = ofPage.filter(isFree);
  return { unused, used: ofPage.length - unused.length };
}

async function withVersions(db: Queryable, posts: readonly Post[]): Promise<Map<PostId, Post>> {
  const all = new Map(posts.map((post) => [post.id, post]));
  const others = posts.flatMap(versionIds).filter((id) => !all.has(id));
  for (const [id, post] of await findPosts(db, others)) all.set(id, post);
  return all;
}

/**
 * Returns the posts that stay: those that people here reacted to, and those that a post shows which is newer or was written
 * here. Depends only on posts that stay anyway, so that the order of the deletions does not matter.
 */
async function usedAmong(db: Queryable, posts: readonly Post[], beforeMs: number): Promise<Set<PostId>> {
  const used = new Set(posts.filter(({ detail }) => detail.firstVersion).map(({ id }) => id));
  if (posts.length === 0) return used;
  const ids = posts.map(({ id }) => id);
  const add = (found: readonly PostId[]): void => {
    for (const id of found) used.add(id);
  };
  for (const find of [likedPosts, bookmarkedPosts, postsInSpaces, reportedPosts]) add(await find(db, ids));
  add(await pinnedByAuthors(db, posts));
  add(await votedAmong(db, posts));
  const replies = await listRepliesTo(db, ids);
  const shown = [...(await listQuotesOf(db, ids)), ...(await listRepostsOf(db, ids))];
  const staying = await stayingAmong(
    db,
    [...replies, ...shown].map(({ byId }) => byId),
    beforeMs,
  );
  add(replies.filter(({ byId }) => staying.get(byId) === 'here').map(({ postId }) => postId));
  add(shown.filter(({ byId }) => staying.has(byId)).map(({ postId }) => postId));
  return used;
}

async function votedAmong(db: Queryable, posts: readonly Post[]): Promise<PostId[]> {
  const pollsOf = new Map(posts.map(({ id, detail }) => [id, (detail.pollIds ?? []).map(BigInt)]));
  const voted = new Set(await votedPolls(db, [...pollsOf.values()].flat()));
  return [...pollsOf].filter(([, polls]) => polls.some((poll) => voted.has(poll))).map(([id]) => id);
}

/** Returns the posts that were written here, and those that are imported but newer. */
async function stayingAmong(
  db: Queryable,
  ids: readonly PostId[],
  beforeMs: number,
): Promise<Map<PostId, 'here' | 'newer'>> {
  const staying = new Map<PostId, 'here' | 'newer'>();
  for (let at = 0; at < ids.length; at += PAGE) {
    const posts = await findPosts(db, ids.slice(at, at + PAGE));
    const imported = await findImportedObjects(db, 'post', [...posts.keys()]);
    for (const { id, createdAtMs } of posts.values()) {
      if (!imported.has(id)) staying.set(id, 'here');
      else if (createdAtMs >= beforeMs) staying.set(id, 'newer');
    }
  }
  return staying;
}
