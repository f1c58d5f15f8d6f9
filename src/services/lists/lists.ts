import type { UserPrincipal } from '../../core/access.js';
import type { EdgeId, ListId, UserId } from '../../core/ids.js';
import { MAX_OWNED_LISTS, MAX_PINNED_LISTS } from '../../core/limits.js';
import type { List, ListSettings } from '../../core/list.js';
import type { PageRequest } from '../../core/page.js';
import { timeOfId } from '../../core/snowflake.js';
import type { Tx } from '../../database/engine.js';
import {
  deletePinnedList,
  findListFollowsAmong,
  findMembershipsAmong,
  insertPinnedList,
  listFollowedLists,
  listListFollowers,
  listListMembers,
  listMemberships,
  listPinnedLists,
} from '../../stores/list-users.js';
import { countOwnedLists, insertList, listOwnedLists, lockAdmission, lockList } from '../../stores/lists.js';
import { lockUsers } from '../../stores/locks.js';
import { requireActive, requireNoBlock } from '../posts/action-rules.js';
import { walkTimeline } from '../timelines/walk-timeline.js';
import {
  changeSettings,
  endFollowingList,
  endMembership,
  lockWithMembers,
  removeList,
  startFollowingList,
  startMembership,
} from './list-changes.js';
import { findVisibleList, requireList, requireListable, requireOwnList, tooMany } from './list-rules.js';
import { listTimeline } from './list-timeline.js';
import type { ServiceDeps } from '../service-deps.js';

/** The number of posts that a List's timeline can reach (docs/api/lists.md). */
const LIST_POSTS_DEPTH = 800;

/**
 * Lists (docs/api/lists.md, docs/api/people.md#follows-blocks-and-mutes). Each change is one transaction;
 * `lockAdmission`, `lockUsers` and `lockList` serialize changes, so read-committed isolation suffices. Methods throw
 * 'resource-not-found' for Lists that the user may not see, and 'forbidden' for owner-only actions by others.
 */
export type ListService = ReturnType<typeof createListService>;

type Deps = Pick<ServiceDeps, 'engine' | 'ids'>;

export function createListService(deps: Deps) {
  const { engine } = deps;
  const change = <T>(name: string, body: (tx: Tx) => Promise<T>): Promise<T> =>
    engine.tx(name, body, 'read-committed');
  return {
    /** Creates a List. Throws 'forbidden' when the user owns the maximum number. */
    create: (principal: UserPrincipal, settings: ListSettings) =>
      change('create list', (tx) => create(tx, deps, principal.userId, settings)),
    /** Updates the settings present in `changes`. */
    update: (principal: UserPrincipal, id: ListId, changes: Partial<ListSettings>) =>
      change('update list', (tx) => update(tx, principal, id, changes)),
    delete: (principal: UserPrincipal, id: ListId) =>
      change('delete list', async (tx) => {
        await lockAdmission(tx, id);
        const list = await requireOwnList(tx, principal, id, 'delete');
        await lockWithMembers(tx, id);
        await removeList(tx, list);
      }),
    /** Adds a member. Idempotent. Throws 'forbidden' for a block, a suspended user or a full List. */
    addMember: (principal: UserPrincipal, id: ListId, userId: UserId) =>
      change('add list member', (tx) => addMember(tx, deps, principal, id, userId)),
    /** Removes a member. Idempotent, also for an unknown user. */
    removeMember: (principal: UserPrincipal, id: ListId, userId: UserId) =>
      change('remove list member', async (tx) => {
        await lockUsers(tx, [userId]);
        await lockList(tx, id);
        await endMembership(tx, await requireOwnList(tx, principal, id, 'delete members from'), userId);
      }),
    /** Follows a List. Idempotent. Throws 'forbidden' for a block. */
    follow: (principal: UserPrincipal, id: ListId) =>
      change('follow list', (tx) => follow(tx, deps, principal.userId, id)),
    /** Unfollows a List. Idempotent, also for an unknown List. */
    unfollow: ({ userId }: UserPrincipal, id: ListId) =>
      change('unfollow list', async (tx) => {
        await lockList(tx, id);
        await endFollowingList(tx, { id }, userId);
      }),
    /** Pins a List. Idempotent. Throws 'forbidden' when the maximum number of visible Lists is pinned. */
    pin: (principal: UserPrincipal, id: ListId) =>
      change('pin list', (tx) => pin(tx, deps, principal.userId, id)),
    /** Unpins a List. Idempotent, also for an unknown List. */
    unpin: ({ userId }: UserPrincipal, id: ListId) =>
      change('unpin list', async (tx) => {
        await deletePinnedList(tx, id, userId);
      }),
    /** The pages of ids below are newest first, without visibility filtering. */
    listOwned: (userId: UserId, request: PageRequest) => listOwnedLists(engine, userId, request),
    listMemberships: (userId: UserId, request: PageRequest) => listMemberships(engine, userId, request),
    listFollowed: (userId: UserId, request: PageRequest) => listFollowedLists(engine, userId, request),
    listPinned: (userId: UserId) => listPinnedLists(engine, userId),
    /** Returns which of the Lists the user follows and has pinned, and which have the member, if one is named. */
    tiesOf: async (userId: UserId, ids: readonly ListId[], memberId?: UserId) => ({
      followed: new Set(await findListFollowsAmong(engine, userId, ids)),
      pinned: new Set(await listPinnedLists(engine, userId)),
      withMember:
        memberId === undefined ? undefined : new Set(await findMembershipsAmong(engine, memberId, ids)),
    }),
    listMembers: (id: ListId, request: PageRequest) => listListMembers(engine, id, request),
    listFollowers: (id: ListId, request: PageRequest) => listListFollowers(engine, id, request),
    /** Lists the posts and reposts of the members. */
    listPosts: (id: ListId, page: PageRequest) =>
      walkTimeline(listTimeline(engine, id), { page, bounds: {}, depth: LIST_POSTS_DEPTH }),
  };
}

async function create(tx: Tx, { ids }: Deps, ownerId: UserId, settings: ListSettings): Promise<List> {
  await lockUsers(tx, [ownerId]);
  await requireActive(tx, ownerId);
  if ((await countOwnedLists(tx, ownerId)) >= MAX_OWNED_LISTS) throw tooMany(MAX_OWNED_LISTS, 'own');
  const id = ids.next<ListId>();
  const list = { ...settings, id, ownerId, createdAtMs: timeOfId(id) ?? 0 };
  await insertList(tx, list);
  return list;
}

async function update(
  tx: Tx,
  principal: UserPrincipal,
  id: ListId,
  changes: Partial<ListSettings>,
): Promise<void> {
  await lockAdmission(tx, id);
  const list = await requireOwnList(tx, principal, id, 'update');
  const { name = list.name, description = list.description, private: isPrivate = list.private } = changes;
  const lock = isPrivate === list.private ? lockList : lockWithMembers;
  await lock(tx, id);
  await changeSettings(tx, list, { name, description, private: isPrivate });
}

async function addMember(
  tx: Tx,
  { ids }: Deps,
  principal: UserPrincipal,
  id: ListId,
  userId: UserId,
): Promise<void> {
  await lockAdmission(tx, id);
  await lockUsers(tx, [principal.userId, userId]);
  await lockList(tx, id);
  const list = await requireOwnList(tx, principal, id, 'add members to');
  await requireListable(tx, userId);
  await requireActive(tx, principal.userId);
  await requireNoBlock(tx, principal.userId, userId);
  await startMembership(tx, list, userId, ids.next<EdgeId>());
}

async function follow(tx: Tx, { ids }: Deps, userId: UserId, id: ListId): Promise<void> {
  const { ownerId } = await requireList(tx, userId, id, 'list_id');
  await lockUsers(tx, [userId, ownerId]);
  await lockList(tx, id);
  // The List may have been deleted or made private since.
  const list = await requireList(tx, userId, id, 'list_id');
  await requireActive(tx, userId);
  await requireNoBlock(tx, userId, ownerId);
  await startFollowingList(tx, list, userId, ids.next<EdgeId>());
}

async function pin(tx: Tx, { ids }: Deps, userId: UserId, id: ListId): Promise<void> {
  await lockUsers(tx, [userId]);
  await lockList(tx, id);
  await requireList(tx, userId, id, 'list_id');
  await requireActive(tx, userId);
  if (!(await insertPinnedList(tx, id, userId, ids.next<EdgeId>()))) return;
  const pinned = await listPinnedLists(tx, userId);
  if (pinned.length <= MAX_PINNED_LISTS || (await dropHiddenPins(tx, userId, pinned))) return;
  throw tooMany(MAX_PINNED_LISTS, 'pin');
}

/**
 * Unpins Lists that the user no longer sees, because they count towards the limit. Returns false when there are none.
 */
async function dropHiddenPins(tx: Tx, userId: UserId, pinned: readonly ListId[]): Promise<boolean> {
  let isAnyHidden = false;
  for (const id of pinned) {
    if (await findVisibleList(tx, userId, id)) continue;
    await deletePinnedList(tx, id, userId);
    isAnyHidden = true;
  }
  return isAnyHidden;
}
