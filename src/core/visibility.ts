import type { UserId } from './ids.js';
import type { Post } from './post.js';
import type { User } from './user.js';

/** Who looks: nobody in particular (app-only), or a user and that user's relations to the authors at hand. */
export interface Viewer {
  readonly userId?: UserId;
  /** Authors among those at hand whom the viewer follows (accepted, not merely requested). */
  readonly follows: ReadonlySet<UserId>;
  /** Authors among those at hand who block the viewer. */
  readonly blockedBy: ReadonlySet<UserId>;
}

/** The part of an account that the rules look at. */
export type AccountState = Pick<User, 'protected' | 'suspended'>;

export type Visibility = 'visible' | 'not-authorized' | 'suspended';

/**
 * The one rule for whether a viewer may see a post (specification 5.1; reference/objects.md 15, behaviours.md 5).
 * `author` is undefined when the account is not stored (imported posts whose author was not in the file).
 */
export function postVisibility(viewer: Viewer, post: Post, author: AccountState | undefined): Visibility {
  if (viewer.userId === post.authorId) return 'visible';
  if (author?.suspended) return 'suspended';
  if (viewer.blockedBy.has(post.authorId)) return 'not-authorized';
  const isFollower = viewer.follows.has(post.authorId);
  if ((author?.protected || post.superFollowersOnly) && !isFollower) return 'not-authorized';
  return 'visible';
}

/** The one rule for whether a viewer may see a user: profiles are public, suspension apart (reference/errors.md 2). */
export function userVisibility(user: AccountState): Visibility {
  return user.suspended ? 'suspended' : 'visible';
}
