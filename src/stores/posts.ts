import type { PostId, UserId } from '../core/ids.js';
import type { Post, PostCounts, PostDetail, ReplySettings } from '../core/post.js';
import { isReply, NO_POST_COUNTS } from '../core/post.js';
import {
  asBoolean,
  asId,
  asNumber,
  asOptionalId,
  asOptionalNumber,
  asOptionalText,
  asText,
} from '../database/decode.js';
import type { Queryable, Row, Tx } from '../database/engine.js';
import { insertRows } from '../database/many-rows.js';
import { deleteReply, insertReply } from './post-links.js';
import { markForSearch } from '../database/search-pending.js';
import { list, rawSql, sql } from '../database/sql.js';

/** The tables of `findPosts` and of `findPostCounts`, for caches. */
export const POST_TABLES = ['posts'];
export const POST_COUNT_TABLES = ['post_counts'];

function decodePost(row: Row): Post {
  return {
    id: asId(row.id),
    authorId: asId(row.author_id),
    createdAtMs: asNumber(row.created_at),
    conversationId: asId(row.conversation_id),
    text: asText(row.text),
    lang: asText(row.lang),
    source: asOptionalText(row.source),
    inReplyToPostId: asOptionalId(row.in_reply_to_post_id),
    inReplyToUserId: asOptionalId(row.in_reply_to_user_id),
    quotedPostId: asOptionalId(row.quoted_post_id),
    repostedPostId: asOptionalId(row.reposted_post_id),
    replySettings: asText(row.reply_settings) as ReplySettings,
    superFollowersOnly: asBoolean(row.super_followers_only),
    possiblySensitive: asBoolean(row.possibly_sensitive),
    nullcast: asBoolean(row.nullcast),
    placeId: asOptionalText(row.place_id),
    detail: JSON.parse(asText(row.detail)) as PostDetail,
  };
}

/** Returns the stored post without a visibility check. */
export async function findPost(db: Queryable, id: PostId): Promise<Post | undefined> {
  const row = await db.get(sql`SELECT * FROM posts WHERE id = ${id}`);
  return row && decodePost(row);
}

/** Returns the stored posts among `ids`, by id, without a visibility check. */
export async function findPosts(db: Queryable, ids: readonly PostId[]): Promise<Map<PostId, Post>> {
  const posts = new Map<PostId, Post>();
  if (ids.length === 1 && ids[0] !== undefined) {
    const post = await findPost(db, ids[0]);
    if (post) posts.set(post.id, post);
  } else if (ids.length > 1) {
    for (const row of await db.all(sql`SELECT * FROM posts WHERE id IN ${list(ids)}`)) {
      const post = decodePost(row);
      posts.set(post.id, post);
    }
  }
  return posts;
}

/** Returns up to `limit` stored posts with ids above `afterId` (-1 to start), ordered by id. */
export async function pagePosts(db: Queryable, afterId: PostId, limit: number): Promise<Post[]> {
  const rows = await db.all(sql`SELECT * FROM posts WHERE id > ${afterId} ORDER BY id LIMIT ${limit}`);
  return rows.map(decodePost);
}

/**
 * Stores a post and adds it to the author's list and its parent's replies. Returns false and changes nothing if the
 * id is taken.
 */
export async function insertPost(tx: Tx, post: Post): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO posts (id, author_id, created_at, conversation_id, text, lang, source, in_reply_to_post_id,
      in_reply_to_user_id, quoted_post_id, reposted_post_id, reply_settings, super_followers_only,
      possibly_sensitive, nullcast, place_id, detail)
    VALUES (${post.id}, ${post.authorId}, ${post.createdAtMs}, ${post.conversationId}, ${post.text}, ${post.lang},
      ${post.source}, ${post.inReplyToPostId}, ${post.inReplyToUserId}, ${post.quotedPostId},
      ${post.repostedPostId}, ${post.replySettings}, ${post.superFollowersOnly}, ${post.possiblySensitive},
      ${post.nullcast}, ${post.placeId}, ${JSON.stringify(post.detail)})
    ON CONFLICT DO NOTHING`);
  if (inserted === 0) return false;
  await tx.run(sql`
    INSERT INTO user_posts (user_id, post_id, created_at, is_reply, is_repost)
    VALUES (${post.authorId}, ${post.id}, ${post.createdAtMs}, ${isReply(post)}, ${post.repostedPostId !== undefined})`);
  if (post.inReplyToPostId !== undefined) await insertReply(tx, post.inReplyToPostId, post.id);
  await markForSearch(tx, post);
  return true;
}

/** Deletes a post's row and list entries. Returns false if it does not exist. */
export async function deletePost(tx: Tx, post: Post): Promise<boolean> {
  if ((await tx.run(sql`DELETE FROM posts WHERE id = ${post.id}`)) === 0) return false;
  await tx.run(sql`DELETE FROM user_posts WHERE user_id = ${post.authorId} AND post_id = ${post.id}`);
  if (post.inReplyToPostId !== undefined) await deleteReply(tx, post.inReplyToPostId, post.id);
  await markForSearch(tx, post);
  return true;
}

/** Deletes a post's counts. This is the last step of deleting a post. */
export async function deletePostCounts(tx: Tx, id: PostId): Promise<void> {
  await tx.run(sql`DELETE FROM post_counts WHERE post_id = ${id}`);
}

/** Records for compliance jobs that a post was deleted. */
export async function insertDeletedPost(tx: Tx, post: Post, deletedAtMs: number): Promise<void> {
  await tx.run(sql`
    INSERT INTO deleted_posts (post_id, author_id, created_at, deleted_at)
    VALUES (${post.id}, ${post.authorId}, ${post.createdAtMs}, ${deletedAtMs})
    ON CONFLICT DO NOTHING`);
}

/** Returns the counts of the posts among `ids` that have any, by id. */
export async function findPostCounts(
  db: Queryable,
  ids: readonly PostId[],
): Promise<Map<PostId, PostCounts>> {
  const rows = await db.all(sql`SELECT * FROM post_counts WHERE post_id IN ${list(ids)}`);
  return new Map(
    rows.map((row) => [
      asId<PostId>(row.post_id),
      {
        reposts: asNumber(row.reposts),
        replies: asNumber(row.replies),
        likes: asNumber(row.likes),
        quotes: asNumber(row.quotes),
        bookmarks: asNumber(row.bookmarks),
        impressions: asOptionalNumber(row.impressions),
      },
    ]),
  );
}

/** Overwrites posts' counts with those of an archive. */
export async function putPostCounts(tx: Tx, counts: ReadonlyMap<PostId, PostCounts>): Promise<void> {
  await overwriteCounts(
    tx,
    [...counts].map(([id, { reposts, replies, likes, quotes, bookmarks, impressions }]) => [
      id,
      reposts,
      replies,
      likes,
      quotes,
      bookmarks,
      impressions,
    ]),
  );
}

const overwriteCounts = insertRows(
  'INSERT INTO post_counts (post_id, reposts, replies, likes, quotes, bookmarks, impressions)',
  7,
  `ON CONFLICT (post_id) DO UPDATE SET reposts = excluded.reposts, replies = excluded.replies,
    likes = excluded.likes, quotes = excluded.quotes, bookmarks = excluded.bookmarks,
    impressions = excluded.impressions`,
);

/** Increments a count of a post. The post need not be stored, so counts are right for posts that arrive later. */
export async function incrementPostCount(tx: Tx, id: PostId, count: PostCount): Promise<void> {
  const start = { ...NO_POST_COUNTS, [count]: 1 };
  const column = rawSql(count);
  await tx.run(sql`
    INSERT INTO post_counts (post_id, reposts, replies, likes, quotes, bookmarks, impressions)
    VALUES (${id}, ${start.reposts}, ${start.replies}, ${start.likes}, ${start.quotes}, ${start.bookmarks}, NULL)
    ON CONFLICT (post_id) DO UPDATE SET ${column} = post_counts.${column} + 1`);
}

/** Decrements a count of a post, never below zero: imported counts may be lower than the stored rows. */
export async function decrementPostCount(tx: Tx, id: PostId, count: PostCount): Promise<void> {
  const column = rawSql(count);
  await tx.run(sql`UPDATE post_counts SET ${column} = ${column} - 1 WHERE post_id = ${id} AND ${column} > 0`);
}

export type PostCount = Exclude<keyof PostCounts, 'impressions'>;

/**
 * Records the text of an author's new post. Returns false if the author posted the same text after `sinceMs`
 * (docs/api/posts.md#length, "Duplicate").
 */
export async function insertRecentText(
  tx: Tx,
  text: { userId: UserId; hash: string; postId: PostId; createdAtMs: number; sinceMs: number },
): Promise<boolean> {
  const changed = await tx.run(sql`
    INSERT INTO recent_texts (user_id, text_hash, post_id, created_at)
    VALUES (${text.userId}, ${text.hash}, ${text.postId}, ${text.createdAtMs})
    ON CONFLICT (user_id, text_hash) DO UPDATE SET post_id = excluded.post_id, created_at = excluded.created_at
      WHERE recent_texts.created_at <= ${text.sinceMs}`);
  return changed === 1;
}

/** Deletes the recorded text of a deleted post, so that it may be posted again. */
export async function deleteRecentText(tx: Tx, userId: UserId, postId: PostId): Promise<void> {
  await tx.run(sql`DELETE FROM recent_texts WHERE user_id = ${userId} AND post_id = ${postId}`);
}
