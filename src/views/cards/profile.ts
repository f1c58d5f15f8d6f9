import type { UserId } from '../../core/ids.js';
import type { User, UserCounts } from '../../core/user.js';
import { userVisibility, type Visibility } from '../../core/visibility.js';
import { ObjectSet } from '../hydrate/objects.js';
import type { ViewReads } from '../hydrate/reads.js';
import { mentionedUsers } from './mentioned.js';

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
export function viewProfile(
  { reads }: { readonly reads: ViewReads },
  name: UserId | string,
  viewerId: UserId | undefined,
): Promise<Profile | 'suspended' | undefined> {
  const objects = new ObjectSet(reads, viewerId);
  return objects.complete(() => {
    const user = objects.findUser(name);
    if (!user) return undefined;
    if (userVisibility(user) !== 'visible') return 'suspended';
    return {
      user,
      counts: objects.users.countsOf(user.id) ?? NO_COUNTS,
      posts: objects.activityOf(user.id) ?? 'not-authorized',
      mentioned: mentionedUsers(objects, user.entities?.description),
    };
  });
}

const NO_COUNTS: UserCounts = { followers: 0, following: 0, posts: 0, listed: 0 };
