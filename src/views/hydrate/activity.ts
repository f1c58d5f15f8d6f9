import type { UserId } from '../../core/ids.js';
import { activityVisibility, type Viewer, type Visibility } from '../../core/visibility.js';
import { blockersAmong } from '../../storage/blocks.js';
import type { Queryable } from '../../storage/engine.js';
import { followedAmong } from '../../storage/follows.js';
import type { ViewReads } from './reads.js';

const NOBODY: ReadonlySet<UserId> = new Set();

/** Whether the viewer may see what each of these users does; undefined for users who are not stored. */
export async function loadActivity(
  reads: ViewReads,
  ids: readonly UserId[],
  viewerId: UserId | undefined,
): Promise<(id: UserId) => Visibility | undefined> {
  const accounts = await reads.findAccountStates(ids);
  // Whom the viewer follows matters only where an account is for followers.
  const closed = ids.filter((id) => accounts.get(id)?.protected);
  const viewer = await loadViewer(reads.db, viewerId, closed, ids);
  return (id) => {
    const account = accounts.get(id);
    return account && activityVisibility(viewer, id, account);
  };
}

async function loadViewer(
  db: Queryable,
  userId: UserId | undefined,
  closed: readonly UserId[],
  all: readonly UserId[],
): Promise<Viewer> {
  if (userId === undefined) return { follows: NOBODY, blockedBy: NOBODY };
  const follows = await followedAmong(db, userId, closed);
  return { userId, follows, blockedBy: await blockersAmong(db, userId, all) };
}
