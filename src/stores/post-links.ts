import type { PostId, UserId } from '../core/ids.js';
import { asNumber, asOptionalId, readIds } from '../database/decode.js';
import type { Queryable } from '../database/engine.js';

import { sql } from '../database/sql.js';
import { edgeList, edgeWriter } from './edges.js';

/** Links between posts and users: mentions, quotes, replies, reposts, hidden replies. */

const MENTIONS = edgeWriter<UserId, PostId, [createdAtMs: number]>([
  'mentions',
  'user_id',
  'post_id',
  'created_at',
]);

export const insertMention = MENTIONS.insert;
export const deleteMention = MENTIONS.delete;

/** Posts and their quotes, including reposts of quotes. */
const QUOTES = edgeWriter<PostId, PostId>(['quotes', 'post_id', 'quote_id']);

export const insertQuote = QUOTES.insert;
export const deleteQuote = QUOTES.delete;

/** Posts and the users who reposted them, with the ids of the reposts. */
const REPOSTS = edgeWriter<PostId, UserId, [repostId: PostId]>([
  'reposts',
  'post_id',
  'user_id',
  'repost_id',
]);

export const insertRepost = REPOSTS.insert;
export const deleteRepost = REPOSTS.delete;

/** Returns the id of the user's repost of a post. */
export async function findRepostId(
  db: Queryable,
  postId: PostId,
  userId: UserId,
): Promise<PostId | undefined> {
  const row = await db.get(sql`
    SELECT repost_id FROM reposts WHERE post_id = ${postId} AND user_id = ${userId}`);
  return asOptionalId<PostId>(row?.repost_id);
}

/** Lists the users who reposted a post, newest repost first. */
export const listReposters = edgeList<PostId, UserId>('reposts', 'post_id', 'user_id', 'repost_id');

/** Lists the reposts of a post. */
export const listReposts = edgeList<PostId, PostId>('reposts', 'post_id', 'repost_id', 'repost_id');

/** Lists the quotes of a post and the reposts of these quotes. */
export const listQuotes = edgeList<PostId, PostId>('quotes', 'post_id', 'quote_id', 'quote_id');

/** Lists the user's own posts that were reposted, newest post first. */
export const listReposted = edgeList<UserId, PostId>(
  `(SELECT p.user_id, p.post_id FROM user_posts p JOIN post_counts c ON c.post_id = p.post_id
    WHERE p.is_repost = 0 AND c.reposts > 0) reposted`,
  'user_id',
  'post_id',
  'post_id',
);

/** Returns the ids of all reposts of a post. */
export function listRepostIds(db: Queryable, postId: PostId): Promise<PostId[]> {
  return readIds(db, sql`SELECT repost_id AS id FROM reposts WHERE post_id = ${postId}`);
}

/** Posts and their direct replies. A parent need not be stored. */
const REPLIES = edgeWriter<PostId, PostId>(['replies', 'post_id', 'reply_id']);

export const insertReply = REPLIES.insert;
export const deleteReply = REPLIES.delete;

/** Returns up to `limit` direct replies of a post with ids above `afterId`, oldest first. */
export function listReplies(
  db: Queryable,
  postId: PostId,
  afterId: bigint,
  limit: number,
): Promise<PostId[]> {
  return readIds(
    db,
    sql`
    SELECT reply_id AS id FROM replies WHERE post_id = ${postId} AND reply_id > ${afterId} ORDER BY reply_id
    LIMIT ${limit}`,
  );
}

/** The first posts of conversations, and the replies that their authors hid. */
const HIDDEN_REPLIES = edgeWriter<PostId, PostId>(['hidden_replies', 'conversation_id', 'post_id']);

export const insertHiddenReply = HIDDEN_REPLIES.insert;
export const deleteHiddenReply = HIDDEN_REPLIES.delete;

/** Returns the hidden replies of a conversation; their number is bounded. */
export async function listHiddenReplies(db: Queryable, conversationId: PostId): Promise<Set<PostId>> {
  return new Set(
    await readIds<PostId>(
      db,
      sql`SELECT post_id AS id FROM hidden_replies WHERE conversation_id = ${conversationId}`,
    ),
  );
}

/** Reports whether the author of the conversation's first post hid the reply. */
export async function isHiddenReply(db: Queryable, conversationId: PostId, postId: PostId): Promise<boolean> {
  const row = await db.get(sql`
    SELECT 1 AS hidden FROM hidden_replies WHERE conversation_id = ${conversationId} AND post_id = ${postId}`);
  return row !== undefined;
}

/** Counts the hidden replies of a conversation. */
export async function countHiddenReplies(db: Queryable, conversationId: PostId): Promise<number> {
  const row = await db.get(sql`
    SELECT COUNT(*) AS hidden FROM hidden_replies WHERE conversation_id = ${conversationId}`);
  return asNumber(row?.hidden);
}
