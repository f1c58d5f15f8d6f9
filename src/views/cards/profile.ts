import type { UserId } from '../../core/ids.js';
import type { User, UserCounts } from '../../core/user.js';
import { userVisibility, type Visibility } from '../../core/visibility.js';
import { findUserCounts, findUserIds } from '../../stores/users.js';
import { loadActivity } from '../hydrate/activity.js';
import type { ViewReads } from '../hydrate/reads.js';

/** A user as pages show it. */
export interface Profile {
  readonly user: User;
  readonly counts: UserCounts;
  /** The visibility of the user's posts to the viewer. */
  readonly posts: Visibility;
  /** Existing accounts mentioned in the description, by id. */
  readonly mentioned: ReadonlyMap<string, User>;
}

/**
 * Returns the profile of the user with this id, or username in any case; `suspended` if nobody may see the account.
 */
export async function viewProfile(
  { reads }: { readonly reads: ViewReads },
  name: UserId | string,
  viewerId: UserId | undefined,
): Promise<Profile | 'suspended' | undefined> {
  const id = typeof name === 'string' ? (await findUserIds(reads.db, [name])).get(name.toLowerCase()) : name;
  const user = id === undefined ? undefined : (await reads.users.readAll([id])).get(id);
  if (!user) return undefined;
  if (userVisibility(user) !== 'visible') return 'suspended';
  const mentionedIds = (user.entities?.description?.mentions ?? []).flatMap(
    ({ id: mentioned }) => mentioned ?? [],
  );
  const mentioned = await reads.users.readAll(mentionedIds.map((each) => BigInt(each) as UserId));
  return {
    user,
    counts: (await findUserCounts(reads.db, [user.id])).get(user.id) ?? NO_COUNTS,
    posts: (await loadActivity(reads, [user.id], viewerId))(user.id) ?? 'not-authorized',
    mentioned: new Map([...mentioned].map(([each, found]) => [String(each), found])),
  };
}

const NO_COUNTS: UserCounts = { followers: 0, following: 0, posts: 0, listed: 0 };
