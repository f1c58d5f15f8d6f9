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
  listRepostIds,
} from '../../stores/post-links.js';
import {
  decrementPostCount,
  deletePost,
  deletePostCounts,
  findPost,
  findPosts,
  insertDeletedPost,
} from '../../stores/posts.js';
import { deleteRecentText } from '../../stores/recent-texts.js';
import { clearPinnedPost, decrementUserCount } from '../../stores/users.js';

/**
 * Deletes a post with its other versions, reposts, likes, poll, pin and hidden flag, and decrements the parents'
 * counts. Replies and quotes keep a dangling reference (docs/api/posts.md#deletion). Bookmarks are filtered on read.
 * Idempotent. Returns all deleted posts: the caller retracts each from home timelines (`enqueueRetraction`).
 */
export async function deletePostWithConsequences(tx: Tx, post: Post, nowMs: number): Promise<Post[]> {
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
async function deleteEdited(tx: Tx, post: Post, nowMs: number): Promise<Post[]> {
  const firstId = firstVersionId(post);
  const first = await findPost(tx, firstId);
  for (const version of (await findPosts(tx, versionIds({ ...post, id: firstId }))).values()) {
    if (!(await deletePost(tx, version))) continue;
    await insertDeletedPost(tx, version, nowMs);
    await clearPinnedPost(tx, version.authorId, version.id);
    await deleteRecentText(tx, version.authorId, version.id);
    await deleteAttachments(tx, version);
    await deleteMentions(tx, version, firstId);
    await deleteNotifications(tx, version);
  }
  return first ? deleteVersion(tx, first, nowMs) : [];
}

/** Returns the version and its reposts; nothing if it is deleted already. */
async function deleteVersion(tx: Tx, post: Post, nowMs: number): Promise<Post[]> {
  // Waits for concurrent likes and reposts to commit, so that they are deleted too.
  await lockPost(tx, post.id);
  if (!(await deletePost(tx, post))) return [];
  const deleted = [post];
  await insertDeletedPost(tx, post, nowMs);
  await deletePendingFanOut(tx, post.id);
  await decrementUserCount(tx, post.authorId, 'posts');
  await clearPinnedPost(tx, post.authorId, post.id);
  await deleteRecentText(tx, post.authorId, post.id);
  await deleteReferences(tx, post);
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
async function deleteReferences(tx: Tx, post: Post): Promise<void> {
  if (post.repostedPostId !== undefined) {
    if (await deleteRepost(tx, post.repostedPostId, post.authorId)) {
      await decrementPostCount(tx, post.repostedPostId, 'reposts');
    }
    const original = await findPost(tx, post.repostedPostId);
    if (original?.quotedPostId !== undefined) await deleteQuote(tx, original.quotedPostId, post.id);
    return;
  }
  if (post.inReplyToPostId !== undefined) {
    await decrementPostCount(tx, post.inReplyToPostId, 'replies');
    await deleteHiddenReply(tx, post.conversationId, post.id);
  }
  if (post.quotedPostId !== undefined) {
    await deleteQuote(tx, post.quotedPostId, post.id);
    await decrementPostCount(tx, post.quotedPostId, 'quotes');
  }
  await deleteMentions(tx, post, post.id);
  await deleteNotifications(tx, post);
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
  const quoted = quotedPostId === undefined ? undefined : await findPost(tx, quotedPostId);
  if (quoted) users.push(quoted.authorId);
  await deleteNotificationsOfPost(tx, firstVersionId(post), users);
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
