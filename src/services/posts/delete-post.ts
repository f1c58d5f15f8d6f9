import type { ArticleId, PollId, PostId, UserId } from '../../core/ids.js';
import {
  firstVersionId,
  mediaIdOfKey,
  type Post,
  shownMediaKeys,
  versionIds,
  wholeTextOf,
} from '../../core/post.js';
import type { Tx } from '../../database/engine.js';
import { deleteArticle } from '../../stores/articles.js';
import { findDeletedPosts, insertDeletedPost } from '../../stores/deleted-posts.js';
import { deleteLikesOfPost } from '../../stores/likes.js';
import { detachMedia } from '../../stores/media.js';
import { deletePendingFanOut } from '../../stores/pending-fan-outs.js';
import { deleteNotificationsOfPost } from '../../stores/notifications.js';
import { lockPost } from '../../stores/locks.js';
import { deletePollVotes } from '../../stores/poll-votes.js';
import { deletePoll } from '../../stores/polls.js';
import {
  deleteHiddenReply,
  deleteMention,
  deleteQuote,
  deleteRepost,
  findRepostId,
  listRepostIds,
} from '../../stores/post-links.js';
import {
  decrementPostCount,
  deletePost,
  deletePostCounts,
  findPost,
  findPosts,
  type PostCount,
} from '../../stores/posts.js';
import { deleteRecentText } from '../../stores/recent-texts.js';
import { clearPinnedPost, decrementUserCount, findUserIds } from '../../stores/users.js';

/**
 * Deletes a post with its other versions, reposts, likes, poll, pin and hidden flag, and decrements the parents'
 * counts. Replies and quotes keep a dangling reference (docs/api/posts.md#deletion). Bookmarks are filtered on read.
 * Idempotent. Returns all deleted posts: the caller retracts each from home timelines (`enqueueRetraction`).
 *
 * `nowMs` is recorded as the time of the deletion. Without it the posts are not deleted for good: nothing is recorded, and
 * no count decremented.
 */
export async function deletePostWithConsequences(
  tx: Tx,
  post: Post,
  nowMs: number | undefined,
): Promise<Post[]> {
  if (post.detail.firstVersion) return deleteEdited(tx, post, nowMs);
  const deleted = await deleteVersion(tx, post, nowMs);
  for (const id of post.detail.editHistory ?? []) {
    const version = await findPost(tx, BigInt(id) as Post['id']);
    if (version && version.authorId === post.authorId)
      deleted.push(...(await deleteVersion(tx, version, nowMs)));
  }
  return deleted;
}

/** Deletes a post that was edited here. Everything that refers to it names the first version. */
async function deleteEdited(tx: Tx, post: Post, nowMs: number | undefined): Promise<Post[]> {
  const firstId = firstVersionId(post);
  const first = await findPost(tx, firstId);
  for (const version of (await findPosts(tx, versionIds({ ...post, id: firstId }))).values()) {
    if (!(await deletePost(tx, version))) continue;
    if (nowMs !== undefined) await insertDeletedPost(tx, version, nowMs);
    await clearPinnedPost(tx, version.authorId, version.id);
    await deleteRecentText(tx, version.authorId, version.id);
    await deleteAttachments(tx, version);
    await deleteMentions(tx, version, firstId);
    await deleteNotifications(tx, version);
  }
  return first ? deleteVersion(tx, first, nowMs) : [];
}

/** Returns the version and its reposts; nothing if it is deleted already. */
async function deleteVersion(tx: Tx, post: Post, nowMs: number | undefined): Promise<Post[]> {
  // Waits for concurrent likes and reposts to commit, so that they are deleted too.
  await lockPost(tx, post.id);
  if (!(await deletePost(tx, post))) {
    // The lock is the row of counts.
    await deletePostCounts(tx, post.id);
    return [];
  }
  const deleted = [post];
  const isCounted = nowMs !== undefined;
  if (isCounted) await insertDeletedPost(tx, post, nowMs);
  await deletePendingFanOut(tx, post.id);
  if (isCounted) await decrementUserCount(tx, post.authorId, 'posts');
  await clearPinnedPost(tx, post.authorId, post.id);
  await deleteRecentText(tx, post.authorId, post.id);
  await deleteReferences(tx, post, isCounted);
  await deleteAttachments(tx, post);
  await deleteLikesOfPost(tx, post.id);
  for (const repost of (await findPosts(tx, await listRepostIds(tx, post.id))).values()) {
    if (post.quotedPostId !== undefined) await deleteQuote(tx, post.quotedPostId, repost.id);
    deleted.push(...(await deleteVersion(tx, repost, nowMs)));
  }
  await deletePostCounts(tx, post.id);
  return deleted;
}

/** Removes the post from counts and edges of other posts and users. */
async function deleteReferences(tx: Tx, post: Post, isCounted: boolean): Promise<void> {
  const uncount = async (id: PostId, count: PostCount): Promise<void> => {
    if (isCounted) await decrementPostCount(tx, id, count);
  };
  if (post.repostedPostId !== undefined) {
    // Archives may have two reposts of a post by the same user, of which one is listed.
    const isListed = (await findRepostId(tx, post.repostedPostId, post.authorId)) === post.id;
    if (isListed && (await deleteRepost(tx, post.repostedPostId, post.authorId)))
      await uncount(post.repostedPostId, 'reposts');
    const original = await findPost(tx, post.repostedPostId);
    if (original?.quotedPostId !== undefined) await deleteQuote(tx, original.quotedPostId, post.id);
    return;
  }
  if (post.inReplyToPostId !== undefined) {
    await uncount(post.inReplyToPostId, 'replies');
    await deleteHiddenReply(tx, post.conversationId, post.id);
  }
  if (post.quotedPostId !== undefined) {
    await deleteQuote(tx, post.quotedPostId, post.id);
    await uncount(post.quotedPostId, 'quotes');
  }
  await deleteMentions(tx, post, post.id);
  await deleteArchivedMentions(tx, post);
  await deleteNotifications(tx, post);
}

/** Removes the post from the mentions of users whom imports found: whom it answers, and whom it names without an id. */
async function deleteArchivedMentions(tx: Tx, post: Post): Promise<void> {
  const { id, inReplyToUserId } = post;
  if (inReplyToUserId !== undefined) await deleteMention(tx, inReplyToUserId, id);
  const mentions = wholeTextOf(post).entities?.mentions ?? [];
  const names = mentions.flatMap((mention) => (mention.id === undefined ? mention.username : []));
  for (const userId of (await findUserIds(tx, names)).values()) await deleteMention(tx, userId, id);
}

/** Removes the post that is listed as `listedId` from the mentions of the users that it mentions. */
export async function deleteMentions(tx: Tx, post: Post, listedId: PostId): Promise<void> {
  for (const userId of mentionedUsers(post)) await deleteMention(tx, userId, listedId);
}

/** Returns the users that a post mentions. */
export function mentionedUsers(post: Post): UserId[] {
  const mentions = wholeTextOf(post).entities?.mentions ?? [];
  return mentions.flatMap(({ id }) => (id === undefined ? [] : (BigInt(id) as UserId)));
}

/** Deletes what others were notified of because of a version of a post, and its author because of reactions to it. */
async function deleteNotifications(tx: Tx, post: Post): Promise<void> {
  const { authorId, inReplyToUserId, quotedPostId } = post;
  const users = [authorId, ...mentionedUsers(post)];
  if (inReplyToUserId !== undefined) users.push(inReplyToUserId);
  const quotedAuthorId = quotedPostId === undefined ? undefined : await findAuthorOf(tx, quotedPostId);
  if (quotedAuthorId !== undefined) users.push(quotedAuthorId);
  await deleteNotificationsOfPost(tx, firstVersionId(post), users);
}

/** Returns the author of a post, also of one that was deleted. */
async function findAuthorOf(tx: Tx, id: PostId): Promise<UserId | undefined> {
  const post = (await findPost(tx, id)) ?? (await findDeletedPosts(tx, [id])).get(id);
  return post?.authorId;
}

async function deleteAttachments(tx: Tx, post: Post): Promise<void> {
  for (const id of post.detail.pollIds ?? []) {
    await deletePoll(tx, BigInt(id) as PollId);
    await deletePollVotes(tx, BigInt(id) as PollId);
  }
  for (const key of shownMediaKeys(post)) await detachMedia(tx, mediaIdOfKey(key), post.id);
  const { article } = post.detail;
  if (article) await deleteArticle(tx, BigInt(article.id) as ArticleId);
}
