import type { EdgeId, UserId } from '../../core/ids.js';
import type { IdSource } from '../../core/snowflake.js';
import { deleteBlock, insertBlock } from '../../stores/blocks.js';
import type { Tx } from '../../database/engine.js';
import {
  deleteFollow,
  deleteFollowRequest,
  insertFollow,
  insertFollowRequest,
} from '../../stores/follows.js';
import { endListTies } from '../lists/list-changes.js';
import { addFollowedAuthor, removeFollowedAuthor, type HomeWriteDeps } from '../timelines/home-writes.js';
import { decrementUserCount, incrementUserCount } from '../../stores/users.js';

/**
 * How two users come to stand to each other: one function for each change, whoever asks for it, so that what follows
 * from it is written down once. Rules are the callers'. Each changes nothing, and says so, when it is so already.
 *
 * Callers hold `lockUsers` of both users: follows, requests and blocks decide about each other.
 */
export interface RelationDeps extends HomeWriteDeps {
  readonly ids: IdSource;
}

/** `from` follows `to` from now on; an open request is answered by it. */
export async function startFollowing(tx: Tx, deps: RelationDeps, from: UserId, to: UserId): Promise<boolean> {
  await deleteFollowRequest(tx, from, to);
  if (!(await insertFollow(tx, { from, to, edgeId: deps.ids.next<EdgeId>() }))) return false;
  await incrementUserCount(tx, from, 'following');
  await incrementUserCount(tx, to, 'followers');
  await addFollowedAuthor(tx, deps, from, to);
  return true;
}

/** `from` does not follow `to` any more. */
export async function endFollowing(tx: Tx, from: UserId, to: UserId): Promise<boolean> {
  if (!(await deleteFollow(tx, from, to))) return false;
  await decrementUserCount(tx, from, 'following');
  await decrementUserCount(tx, to, 'followers');
  await removeFollowedAuthor(tx, from, to);
  return true;
}

/** `from` waits for `to` to answer. */
export function requestFollowing(tx: Tx, { ids }: RelationDeps, from: UserId, to: UserId): Promise<boolean> {
  return insertFollowRequest(tx, { from, to, edgeId: ids.next<EdgeId>() });
}

/** `from` does not wait any more: withdrawn or denied. */
export function endRequest(tx: Tx, from: UserId, to: UserId): Promise<boolean> {
  return deleteFollowRequest(tx, from, to);
}

/** `from` blocks `to`, which ends follows, requests and places in Lists of both directions (docs/api/people.md#follows-blocks-and-mutes). */
export async function startBlocking(
  tx: Tx,
  { ids }: RelationDeps,
  from: UserId,
  to: UserId,
): Promise<boolean> {
  if (!(await insertBlock(tx, { from, to, edgeId: ids.next<EdgeId>() }))) return false;
  for (const [one, other] of [
    [from, to],
    [to, from],
  ] as const) {
    await endFollowing(tx, one, other);
    await endRequest(tx, one, other);
  }
  await endListTies(tx, from, to);
  return true;
}

/** `from` does not block `to` any more; nothing that the block ended comes back. */
export function endBlocking(tx: Tx, from: UserId, to: UserId): Promise<boolean> {
  return deleteBlock(tx, from, to);
}
