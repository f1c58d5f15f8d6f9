import type { Clock } from '../../core/clock.js';
import type { UserId } from '../../core/ids.js';
import type { User } from '../../core/user.js';
import { deleteFollowRequest, listRequesters } from '../../stores/follows.js';
import type { Engine, Tx } from '../../database/engine.js';
import { lockUsers } from '../../stores/locks.js';
import { endProtectedPeriod, startProtectedPeriod } from '../../stores/protected-periods.js';
import { findAccountStates, findUsers, setProtected } from '../../stores/users.js';
import { enqueueAuthorIndexing } from '../search/index-author.js';
import { addAcceptedFollow, type RelationDeps } from './changes.js';

type Deps = RelationDeps & { readonly engine: Engine };
type ProtectionDeps = Deps & { readonly clock: Clock };

/** The number of requests accepted per transaction. */
const CHUNK = 200;

/** Lists up to `limit` users with pending follow requests to the user, oldest first, without suspended ones. */
export async function pendingFollowers(
  { engine }: Pick<Deps, 'engine'>,
  userId: UserId,
  limit: number,
): Promise<User[]> {
  const ids = await listRequesters(engine, userId, limit);
  const users = await findUsers(engine, ids);
  return ids.flatMap((id) => users.get(id) ?? []).filter((user) => !user.suspended);
}

/** Accepts a follow request. Returns false and changes nothing when there is no such request. */
export function acceptRequest({ engine, ...deps }: Deps, from: UserId, to: UserId): Promise<boolean> {
  return engine.tx('accept follow request', async (tx) => {
    await lockUsers(tx, [from, to]);
    if (!(await deleteFollowRequest(tx, from, to))) return false;
    await addAcceptedFollow(tx, deps, from, to);
    return true;
  });
}

/** Denies a follow request; the requester may ask again. Returns false when there is no such request. */
export function denyRequest({ engine }: Deps, from: UserId, to: UserId): Promise<boolean> {
  return engine.tx('deny follow request', async (tx) => {
    await lockUsers(tx, [from, to]);
    return deleteFollowRequest(tx, from, to);
  });
}

/** Makes an account protected: only approved followers see its posts. Current followers stay approved. Idempotent. */
export async function protectAccount(deps: ProtectionDeps, userId: UserId): Promise<void> {
  await deps.engine.tx('protect account', async (tx) => {
    await lockUsers(tx, [userId]);
    if (await isProtected(tx, userId)) return;
    await setProtected(tx, userId, true);
    await startProtectedPeriod(tx, userId, deps.clock());
    await enqueueAuthorIndexing(tx, deps, userId);
  });
}

/**
 * Makes an account public and accepts its pending follow requests, oldest first, in chunks
 * (docs/api/people.md#follows-blocks-and-mutes). The first chunk is accepted in the transaction that makes the
 * account public. Idempotent: a repeated call accepts the remaining requests.
 */
export async function unprotectAccount(deps: ProtectionDeps, userId: UserId): Promise<void> {
  await acceptSome(deps, userId, (tx) => open(tx, deps, userId));
  // A public account receives no new requests, so this loop ends.
  let accepted = CHUNK;
  while (accepted > 0) accepted = await acceptSome(deps, userId);
}

async function open(tx: Tx, deps: ProtectionDeps, userId: UserId): Promise<void> {
  if (!(await isProtected(tx, userId))) return;
  await setProtected(tx, userId, false);
  await endProtectedPeriod(tx, userId, deps.clock());
  await enqueueAuthorIndexing(tx, deps, userId);
}

async function isProtected(tx: Tx, userId: UserId): Promise<boolean> {
  return (await findAccountStates(tx, [userId])).get(userId)?.protected === true;
}

/** Runs `before` and accepts one chunk of pending requests; resolves to the size of the chunk. */
async function acceptSome(
  { engine, ...deps }: Deps,
  userId: UserId,
  before: (tx: Tx) => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  const waiting = await listRequesters(engine, userId, CHUNK);
  await engine.tx('accept follow requests', async (tx) => {
    await lockUsers(tx, [userId, ...waiting]);
    await before(tx);
    for (const from of waiting) {
      // The request may have been withdrawn, or removed by a block, since it was read.
      if (await deleteFollowRequest(tx, from, userId)) await addAcceptedFollow(tx, deps, from, userId);
    }
  });
  return waiting.length;
}
