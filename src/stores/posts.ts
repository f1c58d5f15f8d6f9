import type { PostEvent } from '../core/feed-event.js';
import type { PostId } from '../core/ids.js';
import {
  isReply,
  newestVersionId,
  NO_POST_COUNTS,
  type Post,
  type PostCounts,
  versionIds,
} from '../core/post.js';
import type { KeyRange } from '../core/page.js';
import type { Queryable, Tx } from '../database/engine.js';
import { countTable } from './counts.js';
import { deleteReply, insertReply } from './post-links.js';
import { markForSearch } from '../database/search-pending.js';
import {
  asBoolean,
  asId,
  asNumber,
  asOptionalId,
  asOptionalNumber,
  asOptionalText,
  asPresentJson,
  asText,
  toJson,
  sql,
} from '../database/sql.js';
import { defineTable, deleteBy, insertRows, rowChange, type Columns } from '../database/table.js';

/** The tables of `findPosts` and of `findPostCounts`, for caches. */
export const POST_TABLES = ['posts'];
export const POST_COUNT_TABLES = ['post_counts'];

/** The columns of a post except `detail`. */
export const POST_COLUMNS: Columns<Omit<Post, 'detail'>> = {
  id: ['id', asId],
  authorId: ['author_id', asId],
  createdAtMs: ['created_at', asNumber],
  conversationId: ['conversation_id', asId],
  text: ['text', asText],
  lang: ['lang', asText],
  source: ['source', asOptionalText],
  inReplyToPostId: ['in_reply_to_post_id', asOptionalId],
  inReplyToUserId: ['in_reply_to_user_id', asOptionalId],
  quotedPostId: ['quoted_post_id', asOptionalId],
  repostedPostId: ['reposted_post_id', asOptionalId],
  replySettings: ['reply_settings', asText],
  superFollowersOnly: ['super_followers_only', asBoolean],
  possiblySensitive: ['possibly_sensitive', asBoolean],
  nullcast: ['nullcast', asBoolean],
  placeId: ['place_id', asOptionalText],
};

const POSTS = defineTable<Post, PostId>('posts', 'id', {
  ...POST_COLUMNS,
  detail: ['detail', asPresentJson, toJson],
});

/** Overwrites the row of a stored post, and nothing that lists or finds it. */
export const updatePostRow = POSTS.overwriter('authorId');

/** Returns the stored post without a visibility check. */
export const findPost = POSTS.find;

/** Returns the stored posts among `ids`, by id, without a visibility check. */
export const findPosts = POSTS.findAmong;

/** Decodes a post that `givePostToCaches` gave to caches. */
export const decodeGivenPost = POSTS.decodeGiven;

/** Returns up to `limit` stored posts in the range, newest first. */
export function listNewestPosts(db: Queryable, { above, upTo }: KeyRange, limit: number): Promise<Post[]> {
  return POSTS.list(db, sql`id > ${above} AND id <= ${upTo} ORDER BY id DESC LIMIT ${limit}`);
}

/** Returns up to `limit` stored posts with ids above `afterId` (-1 to start), ordered by id. */
export function pagePosts(db: Queryable, afterId: PostId, limit: number): Promise<Post[]> {
  return POSTS.list(db, sql`id > ${afterId} ORDER BY id LIMIT ${limit}`);
}

/** Returns up to `limit` stored posts with ids above `afterId` that were written before a time, ordered by id. */
export function pagePostsBefore(
  db: Queryable,
  afterId: PostId,
  beforeMs: number,
  limit: number,
): Promise<Post[]> {
  return POSTS.list(db, sql`id > ${afterId} AND created_at < ${beforeMs} ORDER BY id LIMIT ${limit}`);
}

const INTO_USER_POSTS = 'INSERT INTO user_posts (user_id, post_id, created_at, is_reply, is_repost)';

/** Creates the insertion of posts into the lists of their authors; `conflict` says what to do with those in a list. */
export function userPostsWriter(conflict?: string) {
  const insert = insertRows(INTO_USER_POSTS, 5, conflict);
  return (tx: Tx, posts: readonly Omit<Post, 'detail'>[]): Promise<void> =>
    insert(
      tx,
      posts.map((post) => [
        post.authorId,
        post.id,
        post.createdAtMs,
        isReply(post),
        post.repostedPostId !== undefined,
      ]),
    );
}

const addUserPosts = userPostsWriter();

/** Stores posts and adds them to the lists of their authors and the replies of their parents. Their ids must be free. */
export async function insertPosts(tx: Tx, posts: readonly Post[]): Promise<void> {
  const replies = posts.flatMap(({ id, inReplyToPostId }) =>
    inReplyToPostId === undefined ? [] : [insertReply(tx, inReplyToPostId, id)],
  );
  await Promise.all([
    POSTS.insertAll(tx, posts),
    addUserPosts(tx, posts),
    markForSearch(tx, posts),
    ...replies,
  ]);
  for (const post of posts) tx.emit(postEvent('post-made', post));
}

/** Gives a stored post to caches, and its counts. Nobody knew its id before, so nothing was counted. */
export function givePostToCaches(tx: Tx, post: Post): void {
  POSTS.giveToCaches(tx, post);
  tx.stored('post_counts', post.id, { ...NO_POST_COUNTS });
}

function postEvent(kind: PostEvent['kind'], post: Post): PostEvent {
  const { id: postId, authorId, repostedPostId, quotedPostId } = post;
  return { kind, postId, authorId, repostedPostId, quotedPostId };
}

/** Stores a version of a post. Lists, replies and quotes keep the first version (docs/api/posts.md#edits). */
export async function insertVersion(tx: Tx, post: Post): Promise<void> {
  await POSTS.insertAll(tx, [post]);
  await markForSearch(tx, [post]);
  tx.emit(postEvent('post-edited', post));
}

/** Returns the stored posts among `ids`, with all stored versions of those that were edited. */
export async function findVersions(db: Queryable, ids: readonly PostId[]): Promise<Post[]> {
  const found = await findPosts(db, ids);
  const listed = [...found.values()];
  const others = await findPosts(db, listed.flatMap(versionIds));
  for (const post of listed) {
    for (const id of versionIds(post)) {
      const version = others.get(id);
      // An archive may name anything in a history.
      if (version?.authorId === post.authorId) found.set(id, version);
    }
  }
  return [...found.values()];
}

/** Returns the newest versions of the stored posts among `ids`, by these ids. */
export async function findNewestVersions(db: Queryable, ids: readonly PostId[]): Promise<Map<PostId, Post>> {
  const named = await findPosts(db, ids);
  const edited = [...named.values()].filter((post) => newestVersionId(post) !== post.id);
  const newest = await findPosts(db, edited.map(newestVersionId));
  for (const post of edited) named.set(post.id, newest.get(newestVersionId(post)) ?? post);
  return named;
}

/** Deletes a post's row and list entries. Returns false if it does not exist. */
export async function deletePost(tx: Tx, post: Post): Promise<boolean> {
  if ((await tx.run(sql`DELETE FROM posts WHERE id = ${post.id}`)) === 0) return false;
  await tx.run(sql`DELETE FROM user_posts WHERE user_id = ${post.authorId} AND post_id = ${post.id}`);
  if (post.inReplyToPostId !== undefined) await deleteReply(tx, post.inReplyToPostId, post.id);
  await markForSearch(tx, [post]);
  tx.emit(postEvent('post-deleted', post));
  return true;
}

/** Deletes a post's counts. This is the last step of deleting a post. */
export const deletePostCounts = deleteBy<PostId>('post_id', 'post_counts');

const COUNTS = countTable<PostId, PostCounts>('post_counts', 'post_id', {
  reposts: asNumber,
  replies: asNumber,
  likes: asNumber,
  quotes: asNumber,
  bookmarks: asNumber,
  impressions: asOptionalNumber,
});

export const findPostCounts = COUNTS.findAmong;
export const putPostCounts = COUNTS.put;
export const decrementPostCount: (tx: Tx, id: PostId, count: PostCount) => Promise<void> = COUNTS.decrement;

/** Increments counts of posts, from zero for posts without a row of counts, whether they are stored or not. */
export async function incrementPostCounts(
  tx: Tx,
  increments: readonly (readonly [PostId | undefined, PostCount])[],
): Promise<void> {
  const sums = new Map<PostId, PostCounts>();
  for (const [id, count] of increments) {
    if (id === undefined) continue;
    const sum = sums.get(id) ?? NO_POST_COUNTS;
    sums.set(id, { ...sum, [count]: sum[count] + 1 });
  }
  // A new post changes at most two: caches keep the counts of others if a statement names one row alone.
  const batches = sums.size > 2 ? [sums] : [...sums].map((sum) => new Map([sum]));
  await Promise.all(batches.map((batch) => COUNTS.add(tx, batch)));
}

/**
 * Deletes the counts of a post that is not stored. A transaction that has just incremented them holds their lock, as
 * deletion does (`lockPost`): so this also removes those of a post that was deleted meanwhile.
 */
export async function deleteStrayCounts(tx: Tx, id: PostId): Promise<void> {
  await tx.run(sql`
    DELETE FROM post_counts
    WHERE post_id = ${id} AND NOT EXISTS (SELECT 1 FROM posts WHERE id = ${id})`);
}

export type PostCount = Exclude<keyof PostCounts, 'impressions'>;

/**
 * Removes the place and coordinates of a post and records that for compliance jobs. Returns false if it has neither.
 */
export async function scrubPost(tx: Tx, post: Post, scrubbedAtMs: number): Promise<boolean> {
  const { coordinates, ...detail } = post.detail;
  if (post.placeId === undefined && coordinates === undefined) return false;
  await tx.run(
    sql`UPDATE posts SET place_id = NULL, detail = ${JSON.stringify(detail)} WHERE id = ${post.id}`,
  );
  await insertScrub(tx, post.id, post.createdAtMs, scrubbedAtMs);
  tx.emit({ kind: 'post-scrubbed', postId: post.id, authorId: post.authorId });
  return true;
}

/** Records for compliance jobs that the place of a post was removed. */
export const insertScrub = rowChange<[PostId, createdAtMs: number, scrubbedAtMs: number]>(
  `INSERT INTO scrubbed_posts (post_id, created_at, scrubbed_at) VALUES (?, ?, ?)
  ON CONFLICT (post_id) DO UPDATE SET scrubbed_at = excluded.scrubbed_at`,
);
