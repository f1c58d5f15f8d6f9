import type { DeleteAccountPayload } from '../../core/jobs.js';
import type { JobHandler } from '../jobs/handler.js';
import type { UserId } from '../../core/ids.js';
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
import { deleteBookmark } from '../../stores/bookmarks.js';
import type { Tx } from '../../database/engine.js';
import { deleteRequestsOf } from '../../stores/follows.js';
import { deleteHomeTimeline } from '../../stores/home-timelines.js';
import { createJobQueue, type JobQueue } from '../../stores/job-queue.js';
import { deleteLargeAuthor } from '../../stores/large-authors.js';
import { deleteLike } from '../../stores/likes.js';
import { decrementPostCount, findPosts, type PostCount } from '../../stores/posts.js';
import { lockUsers } from '../../stores/locks.js';
import { deleteUser, findUser } from '../../stores/users.js';
import { leaveCommunities } from '../communities/communities.js';
import { PICTURE_KINDS } from '../../core/profile-picture.js';
import { detachPicture } from '../media/profile-pictures.js';
import { leaveConversations } from '../dms/members.js';
import { removeListsOf } from '../lists/list-changes.js';
import { removeDrafts } from '../posts/articles.js';
import { deletePostWithConsequences } from '../posts/delete-post.js';
import { endFollowing } from '../relations/changes.js';
import { enqueueRetraction } from '../timelines/home-writes.js';
import { enqueueAuthorIndexing } from '../search/index-author.js';
import { removeSpacesOf } from '../spaces/remove-spaces.js';
import { recordAction, userTarget } from '../audit/record-action.js';
import type { AccountDeps } from './account-deps.js';
import { hideDeleted } from './standing.js';
import { inChunks } from '../chunks.js';

/** Upper bound per transaction. */
const CHUNK = 200;

/** Removes rows of one kind; resolves to their number, at most `CHUNK`. */
type Step = (tx: Tx, userId: UserId, deps: StepDeps) => Promise<number>;

interface StepDeps {
  readonly queue: JobQueue;
  readonly nowMs: number;
}

interface DeleteOptions {
  readonly sparesOwners?: boolean;
  /** Whether the command line deletes it, which the audit log records. */
  readonly byCommand?: boolean;
}

type DeleteDeps = Pick<AccountDeps, 'engine' | 'clock' | 'ids'>;

/**
 * Deletes an account with its posts, edges, Lists, Spaces and tokens, and updates others' counts. Messages remain for
 * their other participants (docs/api/posts.md#deletion). The account is suspended first, so that it gains nothing
 * new; an interrupted deletion resumes with the next call. With `sparesOwners`, throws
 * `forbidden` and changes nothing when the account owns apps.
 */
export async function deleteAccount(
  { engine, clock, ids }: DeleteDeps,
  user: User,
  { sparesOwners = false, byCommand = false }: DeleteOptions = {},
): Promise<void> {
  const queue = createJobQueue({ ids, clock });
  const repeat = (step: Step): Promise<void> =>
    inChunks(CHUNK, () => engine.tx('delete account', (tx) => step(tx, user.id, { queue, nowMs: clock() })));
  await engine.tx('suspend account', async (tx) => {
    // Waits for concurrent follows to commit; later ones see the suspension.
    await lockUsers(tx, [user.id]);
    await hideDeleted(tx, user, clock(), !sparesOwners);
    if (byCommand) {
      await recordAction(tx, { ids, clock }, undefined, { action: 'user.delete', target: userTarget(user) });
    }
    await enqueueAuthorIndexing(tx, { queue }, user.id);
    // A request accepted later must not recreate a follow.
    await deleteRequestsOf(tx, user.id);
  });
  for (const step of STEPS) await repeat(step);
  await removeListsOf(engine, user.id);
  await removeSpacesOf(engine, user.id);
  await leaveConversations({ engine, ids }, user.id);
  // Requests that passed the checks before the suspension may have posted since.
  while (!(await engine.tx('delete account', (tx) => finish(tx, user)))) {
    await repeat(removePosts);
  }
}

/** Deletes the account itself; returns false and changes nothing while it has posts. */
async function finish(tx: Tx, user: User): Promise<boolean> {
  await lockUsers(tx, [user.id]);
  if (await hasPosts(tx, user.id)) return false;
  await removeUncounted(tx, user.id);
  await deleteHomeTimeline(tx, user.id);
  await deleteLargeAuthor(tx, user.id);
  const last = await findUser(tx, user.id);
  for (const kind of last ? PICTURE_KINDS : []) await detachPicture(tx, last ?? user, kind);
  await deleteUser(tx, user);
  return true;
}

const removePosts: Step = async (tx, userId, { queue, nowMs }) => {
  const ids = await listPostIds(tx, userId, CHUNK);
  for (const post of (await findPosts(tx, ids)).values()) {
    const deleted = await deletePostWithConsequences(tx, post, nowMs);
    // The end of the follows removes the user's own posts from home timelines, but not their reposts by others.
    const byOthers = deleted.filter(({ authorId }) => authorId !== userId);
    await enqueueRetraction(tx, { queue }, byOthers);
  }
  return ids.length;
};

/** Creates the step that ends follows in one direction. */
function removeFollows(
  list: typeof listFollowed,
  end: (tx: Tx, userId: UserId, id: UserId) => Promise<boolean>,
): Step {
  return async (tx, userId) => {
    const ids = await list(tx, userId, CHUNK);
    await lockUsers(tx, [userId, ...ids]);
    for (const id of ids) await end(tx, userId, id);
    return ids.length;
  };
}

/** Creates the step that removes a user's likes or bookmarks. */
function removeCounted(list: typeof listLikedIds, remove: typeof deleteLike, count: PostCount): Step {
  return async (tx, userId) => {
    const ids = await list(tx, userId, CHUNK);
    for (const id of ids) {
      await remove(tx, userId, id);
      await decrementPostCount(tx, id, count);
    }
    return ids.length;
  };
}

const STEPS: readonly Step[] = [
  removePosts,
  (tx, userId) => removeDrafts(tx, userId, CHUNK),
  (tx, userId) => leaveCommunities(tx, userId, CHUNK),
  removeFollows(listFollowed, endFollowing),
  removeFollows(listFollowers, (tx, userId, id) => endFollowing(tx, id, userId)),
  removeCounted(listLikedIds, deleteLike, 'likes'),
  removeCounted(listBookmarkIds, deleteBookmark, 'bookmarks'),
];

/** Creates the handler that deletes an account in steps. Resumable after a crash. */
export function createAccountDeletion(deps: DeleteDeps): JobHandler<DeleteAccountPayload> {
  return async ({ payload }) => {
    const user = await findUser(deps.engine, BigInt(payload.userId) as UserId);
    if (user) await deleteAccount(deps, user);
  };
}
