import type { PostId, UserId } from '../core/ids.js';
import { NO_POST_COUNTS, type Post, type PostCounts } from '../core/post.js';
import { indexable, type IndexablePost } from '../services/search/post-terms.js';
import type { Tx } from '../database/engine.js';
import { coolTimelinesOfFollowers } from '../stores/home-timelines.js';
import {
  insertMentions,
  insertPostRows,
  putImportedObjects,
  type ImportedObject,
  type Mention,
  type PackedPost,
} from '../stores/import-rows.js';
import { findDeletedPosts } from '../stores/deleted-posts.js';
import { findImportedObjects, listPosts, unlistPosts } from '../stores/imports.js';
import { findPostCounts, findPosts, putPostCounts, updatePostRow } from '../stores/posts.js';
import { packSighting, unpackSighting, type PackedBatch, type PackedSighting } from './packed-batch.js';
import { combinePosts, isSame, type PostSighting } from './sighting.js';
import type { Tally } from './tally.js';

/**
 * Indexes posts inside the writing transaction, after the posts and users of its lines are stored. `posts` contains
 * changed posts and those whose media or place may just have been stored. Versions replaced by an edit are in
 * `superseded` instead, because search finds only the newest (docs/api/posts.md#edits). A repost may be stored before
 * its original.
 */
export type IndexPosts = (
  tx: Tx,
  posts: readonly IndexablePost[],
  superseded: readonly PostId[],
) => Promise<void>;

/** Stores new posts and updates imported ones; posts created or deleted here stay unchanged. */
export async function writePosts(
  tx: Tx,
  sightings: PackedBatch['posts'],
  tally: Tally,
  indexPosts: IndexPosts,
): Promise<void> {
  const ids = sightings.map(({ post }) => post.id);
  const known = await findKnown(tx, ids);
  const deleted = await findDeletedPosts(tx, ids);
  const imported = new Map<bigint, ImportedObject>();
  const written: PackedSighting[] = [];
  const unchanged: IndexablePost[] = [];
  const changes = noChanges();
  for (const sighting of sightings) {
    const { id } = sighting.post;
    const before = known.get(id);
    if (deleted.has(id) || before === 'local') {
      tally.kept += 1;
      continue;
    }
    if (!before) {
      addNew(changes, sighting);
      tally.new += 1;
      written.push(sighting);
      imported.set(id, sighting);
      continue;
    }
    const after = combinePosts(before, unpackSighting(sighting));
    const isChanged = addChange(changes, before, after);
    tally[isChanged ? 'updated' : 'unchanged'] += 1;
    if (isChanged) written.push(packSighting(after));
    else if (hasAttachments(after.post)) unchanged.push(indexable(after.post));
    if (isNewer(before, after)) imported.set(id, after);
  }
  await writeChanges(tx, changes);
  await putImportedObjects(tx, 'post', imported);
  const { current, superseded } = await list(tx, written);
  await indexPosts(tx, [...current, ...unchanged.filter((post) => !isOldVersion(post))], superseded);
}

function hasAttachments({ placeId, detail }: Post): boolean {
  return placeId !== undefined || detail.mediaKeys !== undefined;
}

/** Returns stored posts as sightings; 'local' for those that were not imported. */
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

/** The changes of a batch, collected for multi-row statements. */
interface Changes {
  readonly added: PackedPost[];
  readonly changed: Post[];
  readonly counts: Map<PostId, PostCounts>;
}

function noChanges(): Changes {
  return { added: [], changed: [], counts: new Map() };
}

function addNew({ added, counts: writtenCounts }: Changes, { post, counts }: PackedSighting): void {
  added.push(post);
  if (counts) writtenCounts.set(post.id, counts);
}

/**
 * Collects the changes to a stored post; returns false when there are none. Counts change only with a later sighting,
 * because the stored counts may include local activity.
 */
function addChange(
  { changed, counts: writtenCounts }: Changes,
  before: PostSighting,
  { post, counts }: PostSighting,
): boolean {
  const hasNewPost = !isSame(before.post, post);
  const hasNewCounts = counts !== undefined && !isSame(before.counts ?? NO_POST_COUNTS, counts);
  if (hasNewPost) changed.push(post);
  if (hasNewCounts) writtenCounts.set(post.id, counts);
  return hasNewPost || hasNewCounts;
}

async function writeChanges(tx: Tx, { added, changed, counts }: Changes): Promise<void> {
  await insertPostRows(tx, added);
  for (const post of changed) await updatePostRow(tx, post.id, post);
  await putPostCounts(tx, counts);
}

function isNewer(before: PostSighting, after: PostSighting): boolean {
  return before.observedAtMs !== after.observedAtMs || before.isFull !== after.isFull;
}

interface Listed {
  readonly current: readonly IndexablePost[];
  readonly superseded: readonly PostId[];
}

/** Adds posts to lists, mentions and home timelines. Versions replaced by an edit are found by id only. */
async function list(tx: Tx, written: readonly PackedSighting[]): Promise<Listed> {
  const current = written.filter(({ post }) => !isOldVersion(post));
  const posts = current.map(({ post }) => post);
  await listPosts(tx, posts);
  await insertMentions(tx, current.flatMap(mentionsIn));
  const superseded: PostId[] = [];
  for (const { post } of written) {
    const stored = await findPosts(tx, oldVersions(post));
    // An archive may name anything, and the history of a post that was edited here is known.
    const old = [...stored.values()].filter(
      ({ authorId, detail }) => authorId === post.authorId && !detail.firstVersion,
    );
    if (old.length === 0) continue;
    const ids = old.map(({ id }) => id);
    await unlistPosts(tx, post.authorId, ids);
    await shareHistory(tx, post, old);
    superseded.push(...ids);
  }
  if (written.length > 0) await coolTimelinesOfFollowers(tx, authorsOf(written));
  return { current: posts, superseded };
}

function authorsOf(written: readonly PackedSighting[]): UserId[] {
  return [...new Set(written.map(({ post }) => post.authorId))];
}

function mentionsIn({ post, mentionedIds }: PackedSighting): Mention[] {
  return mentionedIds.map((userId) => ({ userId, post }));
}

/** Stores the full history with all versions (docs/api/posts.md#edits), including those stored before later edits. */
async function shareHistory(tx: Tx, { editHistory }: IndexablePost, old: readonly Post[]): Promise<void> {
  for (const version of old) {
    if ((version.detail.editHistory?.length ?? 1) >= (editHistory?.length ?? 1)) continue;
    await updatePostRow(tx, version.id, { ...version, detail: { ...version.detail, editHistory } });
  }
}

function isOldVersion(post: IndexablePost): boolean {
  const newest = post.editHistory?.at(-1);
  return newest !== undefined && newest !== String(post.id);
}

function oldVersions(post: IndexablePost): PostId[] {
  return (post.editHistory ?? []).slice(0, -1).map((id) => BigInt(id) as PostId);
}
