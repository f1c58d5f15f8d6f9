import type { Clock } from '../core/clock.js';
import type { UserId } from '../core/ids.js';
import type { User } from '../core/user.js';
import {
  listBookmarkIds,
  listFollowed,
  listFollowers,
  listLikedIds,
  listPostIds,
  removeBookmark,
  removeLike,
  removeUncounted,
} from '../storage/account-removal.js';
import type { Engine, Tx } from '../storage/engine.js';
import { deleteFollow } from '../storage/follows.js';
import { decrementPostCount, findPosts } from '../storage/posts.js';
import { decrementUserCount, deleteUser, setSuspended } from '../storage/users.js';
import { deletePostWithConsequences } from './posts/delete-post.js';

/** What one transaction takes away at most. */
const CHUNK = 200;

/** Takes away one kind of thing; resolves to how many there were, at most `CHUNK`. */
type Step = (tx: Tx, userId: UserId, nowMs: number) => Promise<number>;

/**
 * Deletes an account with its posts, edges and tokens; counts of others drop (reference/behaviours.md 7). Suspended
 * first, it can do nothing meanwhile; broken off, it stays so, and the next call goes on.
 */
export async function deleteAccount(engine: Engine, clock: Clock, user: User): Promise<void> {
  await engine.tx('suspend account', (tx) => setSuspended(tx, user.id, true));
  for (const step of [removePosts, removeFollowed, removeFollowers, removeLikes, removeBookmarks]) {
    await repeat(engine, clock, step, user.id);
  }
  await engine.tx('delete account', async (tx) => {
    await removeUncounted(tx, user.id);
    await deleteUser(tx, user);
  });
}

async function repeat(engine: Engine, clock: Clock, step: Step, userId: UserId): Promise<void> {
  let removed = CHUNK;
  while (removed === CHUNK) {
    removed = await engine.tx('delete account', (tx) => step(tx, userId, clock()));
  }
}

const removePosts: Step = async (tx, userId, nowMs) => {
  const ids = await listPostIds(tx, userId, CHUNK);
  for (const post of (await findPosts(tx, ids)).values()) await deletePostWithConsequences(tx, post, nowMs);
  return ids.length;
};

const removeFollowed: Step = async (tx, userId) => {
  const ids = await listFollowed(tx, userId, CHUNK);
  for (const id of ids) {
    await deleteFollow(tx, userId, id);
    await decrementUserCount(tx, id, 'followers');
  }
  return ids.length;
};

const removeFollowers: Step = async (tx, userId) => {
  const ids = await listFollowers(tx, userId, CHUNK);
  for (const id of ids) {
    await deleteFollow(tx, id, userId);
    await decrementUserCount(tx, id, 'following');
  }
  return ids.length;
};

const removeLikes: Step = async (tx, userId) => {
  const ids = await listLikedIds(tx, userId, CHUNK);
  for (const id of ids) {
    await removeLike(tx, userId, id);
    await decrementPostCount(tx, id, 'likes');
  }
  return ids.length;
};

const removeBookmarks: Step = async (tx, userId) => {
  const ids = await listBookmarkIds(tx, userId, CHUNK);
  for (const id of ids) {
    await removeBookmark(tx, userId, id);
    await decrementPostCount(tx, id, 'bookmarks');
  }
  return ids.length;
};
