import type { UserId } from '../../core/ids.js';
import { activityVisibility, type Viewer, type Visibility } from '../../core/visibility.js';
import type { ViewReads } from './reads.js';

const NOBODY: ReadonlySet<UserId> = new Set();

/** Returns whether the viewer may see the activity of each user; undefined for users who are not stored. */
export async function loadActivity(
  reads: ViewReads,
  ids: readonly UserId[],
  viewerId: UserId | undefined,
): Promise<(id: UserId) => Visibility | undefined> {
  const accounts = await reads.accounts.readAll(ids);
  const viewer = await loadViewer(reads, viewerId, ids);
  return (id) => {
    const account = accounts.get(id);
    return account && activityVisibility(viewer, id, account);
  };
}

async function loadViewer(
  reads: ViewReads,
  userId: UserId | undefined,
  ids: readonly UserId[],
): Promise<Viewer> {
  if (userId === undefined) return { follows: NOBODY, blockedBy: NOBODY };
  const { follows, blockedBy } = await reads.findRelations(userId, ids);
  return { userId, follows, blockedBy };
}
