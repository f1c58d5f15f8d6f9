import type { EdgeId, UserId } from '../../core/ids.js';
import { insertBlock } from '../../stores/blocks.js';
import type { Tx } from '../../database/engine.js';
import {
  deleteFollow,
  deleteFollowRequest,
  insertFollow,
  insertFollowRequest,
} from '../../stores/follows.js';
import { endListTies } from '../lists/list-changes.js';
import { addFollowedAuthor, removeFollowedAuthor, type HomeWriteDeps } from '../timelines/home-writes.js';
import { notifyOfFollow, notifyOfRequest } from '../notifications/notify.js';
import { decrementUserCount, incrementUserCount } from '../../stores/users.js';
import type { ServiceDeps } from '../service-deps.js';

/**
 * Changes to the relation between two users, with all their side effects; callers check the rules. Each function
 * returns false when there is nothing to change.
 *
 * Callers must hold `lockUsers` for both users, because follows, requests and blocks depend on each other.
 */
export type RelationDeps = HomeWriteDeps & Pick<ServiceDeps, 'ids'>;

/** Makes `from` follow `to` and removes an open follow request. */
export async function startFollowing(tx: Tx, deps: RelationDeps, from: UserId, to: UserId): Promise<boolean> {
  await deleteFollowRequest(tx, from, to);
  return addFollow(tx, deps, from, to);
}

/** Makes `from` follow `to`, and notifies `to`. There must be no follow request. */
export async function addFollow(tx: Tx, deps: RelationDeps, from: UserId, to: UserId): Promise<boolean> {
  const key = deps.ids.next<EdgeId>();
  if (!(await storeFollow(tx, deps, { from, to, key }))) return false;
  await notifyOfFollow(tx, to, key);
  return true;
}

/** Makes `from` follow `to`, who has accepted the request. */
export function addAcceptedFollow(tx: Tx, deps: RelationDeps, from: UserId, to: UserId): Promise<boolean> {
  return storeFollow(tx, deps, { from, to, key: deps.ids.next<EdgeId>() });
}

interface Follow {
  readonly from: UserId;
  readonly to: UserId;
  readonly key: EdgeId;
}

async function storeFollow(tx: Tx, deps: RelationDeps, { from, to, key }: Follow): Promise<boolean> {
  if (!(await insertFollow(tx, from, to, key))) return false;
  await incrementUserCount(tx, from, 'following');
  await incrementUserCount(tx, to, 'followers');
  await addFollowedAuthor(tx, deps, from, to);
  return true;
}

/** Removes the follow from `from` to `to`. */
export async function endFollowing(tx: Tx, from: UserId, to: UserId): Promise<boolean> {
  if (!(await deleteFollow(tx, from, to))) return false;
  await decrementUserCount(tx, from, 'following');
  await decrementUserCount(tx, to, 'followers');
  await removeFollowedAuthor(tx, from, to);
  return true;
}

/** Stores a follow request from `from` to `to`, and notifies `to`. */
export async function requestFollowing(
  tx: Tx,
  { ids }: RelationDeps,
  from: UserId,
  to: UserId,
): Promise<boolean> {
  const key = ids.next<EdgeId>();
  if (!(await insertFollowRequest(tx, from, to, key))) return false;
  await notifyOfRequest(tx, to, key);
  return true;
}

/**
 * Stores a block. Removes follows, follow requests and List ties in both directions
 * (docs/api/people.md#follows-blocks-and-mutes).
 */
export async function startBlocking(
  tx: Tx,
  { ids }: RelationDeps,
  from: UserId,
  to: UserId,
): Promise<boolean> {
  if (!(await insertBlock(tx, from, to, ids.next<EdgeId>()))) return false;
  for (const [one, other] of [
    [from, to],
    [to, from],
  ] as const) {
    await endFollowing(tx, one, other);
    await deleteFollowRequest(tx, one, other);
  }
  await endListTies(tx, from, to);
  return true;
}
