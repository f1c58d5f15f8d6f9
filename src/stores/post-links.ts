import type { PostId, UserId } from '../core/ids.js';
import { asId, asNumber, asOptionalId } from '../database/decode.js';
import { edgeList } from './edge-lists.js';
import type { Queryable, Tx } from '../database/engine.js';
import { sql } from '../database/sql.js';

/** Links between posts and users: mentions, quotes, replies, reposts, hidden replies. */

/** Adds a post to the user's mentions. */
export async function insertMention(
  tx: Tx,
  userId: UserId,
  post: { readonly id: PostId; readonly createdAtMs: number },
): Promise<void> {
  await tx.run(sql`
    INSERT INTO mentions (user_id, post_id, created_at) VALUES (${userId}, ${post.id}, ${post.createdAtMs})
    ON CONFLICT DO NOTHING`);
}

export async function deleteMention(tx: Tx, userId: UserId, postId: PostId): Promise<void> {
  await tx.run(sql`DELETE FROM mentions WHERE user_id = ${userId} AND post_id = ${postId}`);
}

/** Adds a quote, or a repost of a quote, to the quotes of the quoted post. Returns false if it was there. */
export async function insertQuote(tx: Tx, postId: PostId, quoteId: PostId): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO quotes (post_id, quote_id) VALUES (${postId}, ${quoteId}) ON CONFLICT DO NOTHING`);
  return inserted === 1;
}

export async function deleteQuote(tx: Tx, postId: PostId, quoteId: PostId): Promise<void> {
  await tx.run(sql`DELETE FROM quotes WHERE post_id = ${postId} AND quote_id = ${quoteId}`);
}

export interface Repost {
  /** The original. */
  readonly postId: PostId;
  readonly userId: UserId;
  /** The repost's own id. */
  readonly repostId: PostId;
}

/** Records a user's repost of a post. Returns false if the user already reposted it. */
export async function insertRepost(tx: Tx, repost: Repost): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO reposts (post_id, user_id, repost_id)
    VALUES (${repost.postId}, ${repost.userId}, ${repost.repostId})
    ON CONFLICT DO NOTHING`);
  return inserted === 1;
}

export async function deleteRepost(tx: Tx, postId: PostId, userId: UserId): Promise<boolean> {
  return (await tx.run(sql`DELETE FROM reposts WHERE post_id = ${postId} AND user_id = ${userId}`)) === 1;
}

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
export async function listRepostIds(db: Queryable, postId: PostId): Promise<PostId[]> {
  const rows = await db.all(sql`SELECT repost_id FROM reposts WHERE post_id = ${postId}`);
  return rows.map((row) => asId<PostId>(row.repost_id));
}

/** Adds a reply to the replies of its parent, which need not be stored. */
export async function insertReply(tx: Tx, postId: PostId, replyId: PostId): Promise<void> {
  await tx.run(sql`
    INSERT INTO replies (post_id, reply_id) VALUES (${postId}, ${replyId}) ON CONFLICT DO NOTHING`);
}

export async function deleteReply(tx: Tx, postId: PostId, replyId: PostId): Promise<void> {
  await tx.run(sql`DELETE FROM replies WHERE post_id = ${postId} AND reply_id = ${replyId}`);
}

/** Returns up to `limit` direct replies of a post with ids above `afterId`, oldest first. */
export async function listReplies(
  db: Queryable,
  postId: PostId,
  afterId: bigint,
  limit: number,
): Promise<PostId[]> {
  const rows = await db.all(sql`
    SELECT reply_id FROM replies WHERE post_id = ${postId} AND reply_id > ${afterId} ORDER BY reply_id
    LIMIT ${limit}`);
  return rows.map((row) => asId<PostId>(row.reply_id));
}

/** Returns the hidden replies of a conversation; their number is bounded. */
export async function listHiddenReplies(db: Queryable, conversationId: PostId): Promise<Set<PostId>> {
  const rows = await db.all(sql`
    SELECT post_id FROM hidden_replies WHERE conversation_id = ${conversationId}`);
  return new Set(rows.map((row) => asId<PostId>(row.post_id)));
}

/** Hides a reply. Idempotent. */
export async function insertHiddenReply(tx: Tx, conversationId: PostId, postId: PostId): Promise<void> {
  await tx.run(sql`
    INSERT INTO hidden_replies (conversation_id, post_id) VALUES (${conversationId}, ${postId})
    ON CONFLICT DO NOTHING`);
}

/** Unhides a reply. Idempotent. */
export async function deleteHiddenReply(tx: Tx, conversationId: PostId, postId: PostId): Promise<void> {
  await tx.run(sql`
    DELETE FROM hidden_replies WHERE conversation_id = ${conversationId} AND post_id = ${postId}`);
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
