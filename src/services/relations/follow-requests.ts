import type { Clock } from '../../core/clock.js';
import type { UserId } from '../../core/ids.js';
import { listRequesters } from '../../stores/follow-requests.js';
import type { Engine, Tx } from '../../database/engine.js';
import { lockUsers } from '../../stores/user-locks.js';
import { endProtectedPeriod, startProtectedPeriod } from '../../stores/protected-periods.js';
import { findAccountStates, setProtected } from '../../stores/users.js';
import { orderAuthorIndexing } from '../search/index-author.js';
import { endRequest, startFollowing, type RelationDeps } from './changes.js';

type Deps = RelationDeps & { readonly engine: Engine };
type ProtectionDeps = Deps & { readonly clock: Clock };

/** So many requests are answered in one transaction at most. */
const CHUNK = 200;

/** Lets `from` follow the protected account that was asked; false, changing nothing, when there is no such request. */
export function acceptRequest({ engine, ...deps }: Deps, from: UserId, to: UserId): Promise<boolean> {
  return engine.tx('accept follow request', async (tx) => {
    await lockUsers(tx, [from, to]);
    if (!(await endRequest(tx, from, to))) return false;
    await startFollowing(tx, deps, from, to);
    return true;
  });
}

/** Sends `from` away, who may ask again; false, changing nothing, when there is no such request. */
export function denyRequest({ engine }: Deps, from: UserId, to: UserId): Promise<boolean> {
  return engine.tx('deny follow request', async (tx) => {
    await lockUsers(tx, [from, to]);
    return endRequest(tx, from, to);
  });
}

/**
 * Lets only approved followers see the account's posts from now on; who follows already is one. Repeated, it changes
 * nothing.
 */
export async function protectAccount(deps: ProtectionDeps, userId: UserId): Promise<void> {
  await deps.engine.tx('protect account', async (tx) => {
    await lockUsers(tx, [userId]);
    if (await isProtected(tx, userId)) return;
    await setProtected(tx, userId, true);
    await startProtectedPeriod(tx, userId, deps.clock());
    await orderAuthorIndexing(tx, deps, userId);
  });
}

/**
 * Makes an account's posts public and all who wait its followers, in the order of asking (docs/api/people.md#follows-blocks-and-mutes): the
 * first of them in the same transaction. Repeated, it lets in who still waits, and changes nothing else.
 */
export async function unprotectAccount(deps: ProtectionDeps, userId: UserId): Promise<void> {
  await acceptSome(deps, userId, (tx) => open(tx, deps, userId));
  // Who follows from now on does not ask any more: nobody is added to those who wait.
  let accepted = CHUNK;
  while (accepted > 0) accepted = await acceptSome(deps, userId);
}

async function open(tx: Tx, deps: ProtectionDeps, userId: UserId): Promise<void> {
  if (!(await isProtected(tx, userId))) return;
  await setProtected(tx, userId, false);
  await endProtectedPeriod(tx, userId, deps.clock());
  await orderAuthorIndexing(tx, deps, userId);
}

async function isProtected(tx: Tx, userId: UserId): Promise<boolean> {
  return (await findAccountStates(tx, [userId])).get(userId)?.protected === true;
}

/** Lets in the first who wait, after what is to be done `before` it; resolves to how many waited. */
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
      // Somebody may have withdrawn or been blocked meanwhile.
      if (await endRequest(tx, from, userId)) await startFollowing(tx, deps, from, userId);
    }
  });
  return waiting.length;
}
