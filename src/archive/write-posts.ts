import type { PostId } from '../core/ids.js';
import { NO_POST_COUNTS, type Post } from '../core/post.js';
import type { Tx } from '../storage/engine.js';
import {
  findDeletedPostIds,
  findImportedObjects,
  insertPostRow,
  listPosts,
  unlistPosts,
  updatePostRow,
} from '../storage/imports.js';
import { insertMention } from '../storage/post-links.js';
import { findPostCounts, findPosts, putPostCounts } from '../storage/posts.js';
import type { Batch } from './batch.js';
import { writeImportedObjects, type ImportedObjects } from './imported-objects.js';
import { combinePosts, isSame, type PostSighting } from './sighting.js';
import type { Tally } from './tally.js';

/**
 * Puts posts into the full-text index, those again that changed or whose media or place may have come only now; called within the writing transaction, after the posts
 * and users of its lines are stored. Versions that a later edit replaced are not among `posts` but in `superseded`:
 * search finds the newest (reference/behaviours.md 8). A repost's original may be stored later than the repost.
 */
export type IndexPosts = (tx: Tx, posts: readonly Post[], superseded: readonly PostId[]) => Promise<void>;

/** Stores new posts, updates those of earlier imports; leaves alone what was made here and what was deleted here. */
export async function writePosts(
  tx: Tx,
  sightings: Batch['posts'],
  tally: Tally,
  indexPosts: IndexPosts,
): Promise<void> {
  const ids = [...sightings.keys()];
  const known = await findKnown(tx, ids);
  const deleted = await findDeletedPostIds(tx, ids);
  const imported: ImportedObjects = new Map();
  const written: PostSighting[] = [];
  const unchanged: Post[] = [];
  for (const [id, sighting] of sightings) {
    const before = known.get(id);
    if (deleted.has(id) || before === 'local') {
      tally.kept += 1;
      continue;
    }
    const after = before ? combinePosts(before, sighting) : sighting;
    const outcome = before ? await updateSighting(tx, before, after) : await insertSighting(tx, after);
    tally[outcome] += 1;
    if (outcome !== 'unchanged') written.push(after);
    else if (hasAttachments(after.post)) unchanged.push(after.post);
    if (outcome === 'new' || isNewer(before, after)) imported.set(id, after);
  }
  await writeImportedObjects(tx, 'post', imported);
  const { current, superseded } = await list(tx, written);
  await indexPosts(tx, [...current, ...unchanged.filter((post) => !isOldVersion(post))], superseded);
}

function hasAttachments({ placeId, detail }: Post): boolean {
  return placeId !== undefined || detail.mediaKeys !== undefined;
}

/** Stored posts as sightings; 'local' for those that no import stored. */
async function findKnown(tx: Tx, ids: readonly PostId[]): Promise<Map<PostId, PostSighting | 'local'>> {
  const known = new Map<PostId, PostSighting | 'local'>();
  const posts = await findPosts(tx, ids);
  if (posts.size === 0) return known;
  const imported = await findImportedObjects(tx, 'post', [...posts.keys()]);
  const counts = await findPostCounts(tx, [...posts.keys()]);
  for (const [id, post] of posts) {
    const object = imported.get(id);
    known.set(id, object ? { ...object, post, counts: counts.get(id), mentionedIds: [] } : 'local');
  }
  return known;
}

async function insertSighting(tx: Tx, { post, counts }: PostSighting): Promise<'new'> {
  await insertPostRow(tx, post);
  if (counts) await putPostCounts(tx, post.id, counts);
  return 'new';
}

/** Counts are written only with a later sighting: until then those stored here may hold what happened since. */
async function updateSighting(
  tx: Tx,
  before: PostSighting,
  { post, counts }: PostSighting,
): Promise<'updated' | 'unchanged'> {
  const hasNewPost = !isSame(before.post, post);
  const hasNewCounts = counts !== undefined && !isSame(before.counts ?? NO_POST_COUNTS, counts);
  if (hasNewPost) await updatePostRow(tx, post);
  if (hasNewCounts) await putPostCounts(tx, post.id, counts);
  return hasNewPost || hasNewCounts ? 'updated' : 'unchanged';
}

function isNewer(before: PostSighting | undefined, after: PostSighting): boolean {
  return before?.observedAtMs !== after.observedAtMs || before.isFull !== after.isFull;
}

interface Listed {
  readonly current: readonly Post[];
  readonly superseded: readonly PostId[];
}

/** Puts posts where they are found: lists, mentions. Versions that an edit replaced are found by id only. */
async function list(tx: Tx, written: readonly PostSighting[]): Promise<Listed> {
  const current = written.filter(({ post }) => !isOldVersion(post));
  await listPosts(
    tx,
    current.map(({ post }) => post.id),
  );
  for (const { post, mentionedIds } of current) {
    for (const userId of mentionedIds) await insertMention(tx, userId, post);
  }
  const superseded: PostId[] = [];
  for (const { post } of written) {
    const old = oldVersions(post);
    if (old.length === 0) continue;
    await unlistPosts(tx, post.authorId, old);
    await shareHistory(tx, post, old);
    superseded.push(...old);
  }
  return { current: current.map(({ post }) => post), superseded };
}

/** All versions tell the whole history (reference/behaviours.md 8), those that were stored before it went on as well. */
async function shareHistory(
  tx: Tx,
  { detail: { editHistory } }: Post,
  old: readonly PostId[],
): Promise<void> {
  for (const version of (await findPosts(tx, old)).values()) {
    if ((version.detail.editHistory?.length ?? 1) >= (editHistory?.length ?? 1)) continue;
    await updatePostRow(tx, { ...version, detail: { ...version.detail, editHistory } });
  }
}

function isOldVersion(post: Post): boolean {
  const newest = post.detail.editHistory?.at(-1);
  return newest !== undefined && newest !== String(post.id);
}

function oldVersions(post: Post): PostId[] {
  return (post.detail.editHistory ?? []).slice(0, -1).map((id) => BigInt(id) as PostId);
}
