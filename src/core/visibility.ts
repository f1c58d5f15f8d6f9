import type { Ids } from './maps.js';
import type { UserId } from './ids.js';
import type { List } from './list.js';
import type { Post } from './post.js';
import type { User } from './user.js';

/** The viewer: none (app-only), or a user and that user's relations to the relevant authors. */
export interface Viewer {
  readonly userId?: UserId;
  /** The relevant authors that the viewer follows (accepted, not only requested). */
  readonly follows: Ids<UserId>;
  /** The relevant authors that block the viewer. */
  readonly blockedBy: Ids<UserId>;
}

/** The fields of an account that the rules need. */
export type AccountState = Pick<User, 'protected' | 'suspended'>;

export type Visibility = 'visible' | 'not-authorized' | 'suspended';

/**
 * Returns whether a viewer may see a post. This is the only such rule (docs/api/authentication.md#credentials,
 * docs/api/objects.md#visibility, docs/api/people.md#follows-blocks-and-mutes). A repost contains its original's
 * text, so both must be visible; an original that is not stored has no effect. `accounts` lacks authors that are not
 * stored (imported posts without their author).
 */
export function postVisibility(
  viewer: Viewer,
  post: Post,
  original: Post | undefined,
  accounts: Pick<ReadonlyMap<UserId, AccountState>, 'get'>,
): Visibility {
  const own = ownVisibility(viewer, post, accounts.get(post.authorId));
  if (own !== 'visible' || !original) return own;
  return ownVisibility(viewer, original, accounts.get(original.authorId));
}

const NOBODY: Ids<UserId> = new Set();
const ANYBODY: Viewer = { follows: NOBODY, blockedBy: NOBODY };

/**
 * Reports whether a post is public: all viewers may see it unless its author, or the author of the original, blocks
 * them (`postVisibility`).
 */
export function isPublic(
  post: Post,
  original: Post | undefined,
  accounts: Pick<ReadonlyMap<UserId, AccountState>, 'get'>,
): boolean {
  return postVisibility(ANYBODY, post, original, accounts) === 'visible';
}

function ownVisibility(viewer: Viewer, post: Post, author: AccountState | undefined): Visibility {
  const byAuthor = activityVisibility(viewer, post.authorId, author);
  if (byAuthor !== 'visible' || !post.superFollowersOnly || viewer.userId === post.authorId) return byAuthor;
  return viewer.follows.has(post.authorId) ? 'visible' : 'not-authorized';
}

/**
 * Returns whether a viewer may see a user's activity, such as posts or likes: protected accounts show it to followers
 * only, and no account to users that it blocks. This is the only such rule.
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

/**
 * Returns whether a viewer may see a user: profiles are public unless suspended. This is the only such rule
 * (docs/api/errors.md#partial-errors).
 */
export function userVisibility(user: AccountState): Visibility {
  return user.suspended ? 'suspended' : 'visible';
}

/**
 * Reports whether a viewer may see a List: private Lists are visible to their owner only
 * (docs/api/objects.md#visibility), and so are Lists of suspended accounts. `owner` is undefined if the account is
 * not stored. This is the only such rule.
 */
export function isListVisible(
  viewerId: UserId | undefined,
  list: Pick<List, 'ownerId' | 'private'>,
  owner: AccountState | undefined,
): boolean {
  return viewerId === list.ownerId || (!list.private && owner?.suspended !== true);
}
