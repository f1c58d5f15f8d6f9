import type { PostId, UserId } from '../core/ids.js';
import { isBackward, keysOf, pageOf, type Page, type PageRequest } from '../core/page.js';
import type { Queryable, Tx } from '../database/engine.js';

import { deleteEmptyOfPost } from './notifications.js';
import { amongEdges, edgeList, edgeWriter } from './edges.js';
import { asId, inBothOrders } from '../database/sql.js';
import { countQuery, existsQuery, listQuery, readValues, setQuery, valueQuery } from '../database/table.js';

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

/** Removes the link of a repost, and its notification with the last of its reposts. Returns false if there is none. */
export async function deleteRepost(tx: Tx, postId: PostId, userId: UserId): Promise<boolean> {
  if (!(await REPOSTS.delete(tx, postId, userId))) return false;
  await deleteEmptyOfPost(tx, 'repost', postId);
  return true;
}

/** Returns the id of the user's repost of a post. */
export const findRepostId = valueQuery<PostId, [postId: PostId, userId: UserId]>(
  asId,
  'SELECT repost_id FROM reposts WHERE post_id = ? AND user_id = ?',
);

/** Returns the candidates that the user reposted. */
export const repostedAmong = amongEdges<PostId, UserId>('reposts', 'user_id', 'post_id');

/** Lists the users who reposted a post, newest repost first. */
export const listReposters = edgeList<PostId, UserId>('reposts', 'post_id', 'user_id', 'repost_id');

/** Lists the reposts of a post. */
export const listReposts = edgeList<PostId, PostId>('reposts', 'post_id', 'repost_id', 'repost_id');

/** Lists the quotes of a post and the reposts of these quotes. */
export const listQuotes = edgeList<PostId, PostId>('quotes', 'post_id', 'quote_id', 'quote_id');

// Where users and posts are on different servers, the subquery runs first, for the posts of the page's range.
const REPOSTED = inBothOrders(
  (direction) => `SELECT p.post_id FROM (SELECT post_id FROM user_posts
      WHERE user_id = ? AND post_id > ? AND post_id <= ? AND is_repost = 0) p CROSS JOIN post_counts c
    WHERE c.post_id = p.post_id AND c.reposts > 0 ORDER BY p.post_id ${direction} LIMIT ?`,
);

/** Lists the user's own posts that were reposted, newest post first. */
export async function listReposted(
  db: Queryable,
  userId: UserId,
  request: PageRequest,
): Promise<Page<PostId>> {
  const { above, upTo } = keysOf(request);
  const query = REPOSTED[isBackward(request) ? 'oldest' : 'newest'];
  const ids = await readValues(db, asId<PostId>, query(userId, above, upTo, request.limit + 1));
  return pageOf(ids, request, (id) => id);
}

/** Returns the ids of all reposts of a post. */
export const listRepostIds = listQuery<PostId, [postId: PostId]>(
  asId,
  'SELECT repost_id FROM reposts WHERE post_id = ?',
);

/** Posts and their direct replies. A parent need not be stored. */
const REPLIES = edgeWriter<PostId, PostId>(['replies', 'post_id', 'reply_id']);

export const insertReply = REPLIES.insert;
export const deleteReply = REPLIES.delete;

/** Returns up to `limit` direct replies of a post with ids above `afterId`, oldest first. */
export const listReplies = listQuery<PostId, [postId: PostId, afterId: bigint, limit: number]>(
  asId,
  'SELECT reply_id FROM replies WHERE post_id = ? AND reply_id > ? ORDER BY reply_id LIMIT ?',
);

/** The first posts of conversations, and the replies that their authors hid. */
const HIDDEN_REPLIES = edgeWriter<PostId, PostId>(['hidden_replies', 'conversation_id', 'post_id']);

export const insertHiddenReply = HIDDEN_REPLIES.insert;
export const deleteHiddenReply = HIDDEN_REPLIES.delete;

/** Returns the hidden replies of a conversation; their number is bounded. */
export const listHiddenReplies = setQuery<PostId, [conversationId: PostId]>(
  asId,
  'SELECT post_id FROM hidden_replies WHERE conversation_id = ?',
);

/** Reports whether the author of the conversation's first post hid the reply. */
export const isHiddenReply = existsQuery<[conversationId: PostId, postId: PostId]>(
  'SELECT 1 FROM hidden_replies WHERE conversation_id = ? AND post_id = ?',
);

/** Counts the hidden replies of a conversation. */
export const countHiddenReplies = countQuery<[conversationId: PostId]>(
  'hidden_replies WHERE conversation_id = ?',
);
