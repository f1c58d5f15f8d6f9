import type { UserId } from './ids.js';
import type { List } from './list.js';
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
 * The one rule for whether a viewer may see a post (docs/api/authentication.md#credentials; docs/api/objects.md#visibility, docs/api/people.md#follows-blocks-and-mutes).
 * A repost carries its original's text, so it is visible where both are; an original that is not stored hides nothing.
 * `accounts` lacks authors whose account is not stored (imported posts whose author was not in the file).
 */
export function postVisibility(
  viewer: Viewer,
  post: Post,
  original: Post | undefined,
  accounts: ReadonlyMap<UserId, AccountState>,
): Visibility {
  const own = ownVisibility(viewer, post, accounts.get(post.authorId));
  if (own !== 'visible' || !original) return own;
  return ownVisibility(viewer, original, accounts.get(original.authorId));
}

function ownVisibility(viewer: Viewer, post: Post, author: AccountState | undefined): Visibility {
  const byAuthor = activityVisibility(viewer, post.authorId, author);
  if (byAuthor !== 'visible' || !post.superFollowersOnly || viewer.userId === post.authorId) return byAuthor;
  return viewer.follows.has(post.authorId) ? 'visible' : 'not-authorized';
}

/**
 * The one rule for whether a viewer may see what somebody does, as the posts that a user made or likes: protected
 * accounts show it to followers, and nobody to whom they block.
 */
export function activityVisibility(
  viewer: Viewer,
  userId: UserId,
  account: AccountState | undefined,
): Visibility {
  if (viewer.userId === userId) return 'visible';
  if (account?.suspended) return 'suspended';
  if (viewer.blockedBy.has(userId)) return 'not-authorized';
  return account?.protected && !viewer.follows.has(userId) ? 'not-authorized' : 'visible';
}

/** The one rule for whether a viewer may see a user: profiles are public, suspension apart (docs/api/errors.md#partial-errors). */
export function userVisibility(user: AccountState): Visibility {
  return user.suspended ? 'suspended' : 'visible';
}

/**
 * The one rule for whether a viewer may see a List: a private one is its owner's alone (docs/api/objects.md#visibility), and so
 * is that of a suspended account. `owner` is undefined when the account is not stored.
 */
export function isListVisible(
  viewerId: UserId | undefined,
  list: Pick<List, 'ownerId' | 'private'>,
  owner: AccountState | undefined,
): boolean {
  return viewerId === list.ownerId || (!list.private && owner?.suspended !== true);
}
