import type { DeleteAccountPayload } from '../../core/jobs.js';
import type { JobHandler } from '../jobs/handler.js';
import type { Clock } from '../../core/clock.js';
import { forbidden } from '../../core/errors.js';
import type { UserId } from '../../core/ids.js';
import type { IdSource } from '../../core/snowflake.js';
import type { User } from '../../core/user.js';
import {
  hasPosts,
  listBookmarkIds,
  listFollowed,
  listFollowers,
  listLikedIds,
  listPostIds,
  removeUncounted,
} from '../../stores/account-removal.js';
import { deleteLinksBy, endSignIns } from '../../stores/account-access.js';
import { listAppsOf } from '../../stores/apps.js';
import { deleteBookmark } from '../../stores/bookmarks.js';
import { deleteDeactivation } from '../../stores/deactivated-users.js';
import { insertDeletedUser } from '../../stores/deleted-users.js';
import type { Engine, Tx } from '../../database/engine.js';
import { deleteRequestsOf } from '../../stores/follows.js';
import { deleteHomeTimeline } from '../../stores/home-timelines.js';
import { createJobQueue } from '../../stores/job-queue.js';
import { deleteLargeAuthor } from '../../stores/large-authors.js';
import { deleteLike } from '../../stores/likes.js';
import { decrementPostCount, findPosts } from '../../stores/posts.js';
import { lockUsers } from '../../stores/user-locks.js';
import { deleteUser, setSuspended, findUser } from '../../stores/users.js';
import { leaveConversations } from '../dms/leave-conversations.js';
import { removeListsOf } from '../lists/remove-lists.js';
import { deletePostWithConsequences } from '../posts/delete-post.js';
import { endFollowing } from '../relations/changes.js';
import { enqueueAuthorIndexing } from '../search/index-author.js';
import { removeSpacesOf } from '../spaces/remove-spaces.js';

/** Upper bound per transaction. */
const CHUNK = 200;

/** Removes rows of one kind; resolves to their number, at most `CHUNK`. */
type Step = (tx: Tx, userId: UserId, nowMs: number) => Promise<number>;

export interface DeleteDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/**
 * Deletes an account with its posts, edges, Lists, Spaces and tokens, and updates others' counts. Messages remain for
 * their other participants (docs/api/posts.md#deletion). The account is suspended first, so that it gains nothing
 * new; an interrupted deletion resumes with the next call. With `sparesOwners`, throws
 * `forbidden` and changes nothing when the account owns apps.
 */
export async function deleteAccount(
  { engine, clock, ids }: DeleteDeps,
  user: User,
  { sparesOwners = false }: { readonly sparesOwners?: boolean } = {},
): Promise<void> {
  const queue = createJobQueue({ ids, clock });
  await engine.tx('suspend account', async (tx) => {
    // Waits for concurrent follows to commit; later ones see the suspension.
    await lockUsers(tx, [user.id]);
    if (sparesOwners && (await listAppsOf(tx, user.id)).length > 0) {
      throw forbidden(`@${user.username} owns apps. Delete them first.`);
    }
    await setSuspended(tx, user.id, true);
    await deleteDeactivation(tx, user.id);
    await endSignIns(tx, user.id);
    await deleteLinksBy(tx, user.id);
    await enqueueAuthorIndexing(tx, { queue }, user.id);
    // A request accepted later must not recreate a follow.
    await deleteRequestsOf(tx, user.id);
    await insertDeletedUser(tx, user, clock());
  });
  for (const step of [removePosts, removeFollowed, removeFollowers, removeLikes, removeBookmarks]) {
    await repeat(engine, clock, step, user.id);
  }
  await removeListsOf(engine, user.id);
  await removeSpacesOf(engine, user.id);
  await leaveConversations({ engine, ids }, user.id);
  // Requests that passed the checks before the suspension may have posted since.
  while (!(await engine.tx('delete account', (tx) => finish(tx, user)))) {
    await repeat(engine, clock, removePosts, user.id);
  }
}

/** Deletes the account itself; returns false and changes nothing while it has posts. */
async function finish(tx: Tx, user: User): Promise<boolean> {
  await lockUsers(tx, [user.id]);
  if (await hasPosts(tx, user.id)) return false;
  await removeUncounted(tx, user.id);
  await deleteHomeTimeline(tx, user.id);
  await deleteLargeAuthor(tx, user.id);
  await deleteUser(tx, user);
  return true;
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
  await lockUsers(tx, [userId, ...ids]);
  for (const id of ids) await endFollowing(tx, userId, id);
  return ids.length;
};

const removeFollowers: Step = async (tx, userId) => {
  const ids = await listFollowers(tx, userId, CHUNK);
  await lockUsers(tx, [userId, ...ids]);
  for (const id of ids) await endFollowing(tx, id, userId);
  return ids.length;
};

const removeLikes: Step = async (tx, userId) => {
  const ids = await listLikedIds(tx, userId, CHUNK);
  for (const id of ids) {
    await deleteLike(tx, userId, id);
    await decrementPostCount(tx, id, 'likes');
  }
  return ids.length;
};

const removeBookmarks: Step = async (tx, userId) => {
  const ids = await listBookmarkIds(tx, userId, CHUNK);
  for (const id of ids) {
    await deleteBookmark(tx, userId, id);
    await decrementPostCount(tx, id, 'bookmarks');
  }
  return ids.length;
};

/** Creates the handler that deletes an account in steps. Resumable after a crash. */
export function createAccountDeletion(deps: DeleteDeps): JobHandler<DeleteAccountPayload> {
  return async ({ payload }) => {
    const user = await findUser(deps.engine, BigInt(payload.userId) as UserId);
    if (user) await deleteAccount(deps, user);
  };
}
