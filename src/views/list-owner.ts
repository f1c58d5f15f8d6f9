import type { PostId, UserId } from '../core/ids.js';
import { loadActivity } from './hydrate/activity.js';
import { PostSet } from './hydrate/posts.js';
import type { Envelope } from './includes.js';
import { type PostRequest, type ViewDeps } from './post-page.js';
import {
  notAuthorizedError,
  notFoundError,
  type PartialError,
  hiddenError,
  wantedOf,
} from './present/partial-errors.js';

/** What lookups of posts and of other objects have in common; without `parameter`, hidden objects are omitted. */
export type Lookup = Pick<PostRequest, 'viewerId' | 'selection' | 'parameter' | 'asSent'>;

/** The owner of the list: the id in the path. */
export interface ListOwner<T> extends Pick<Lookup, 'viewerId' | 'asSent'> {
  readonly id: T;
}

/**
 * Returns the answer to a list that belongs to a post if the post is missing or not visible: a 200 with `errors`
 * (docs/api/errors.md#partial-errors). Returns undefined if the list may be shown.
 */
export function refuseListOfPost(
  { reads }: ViewDeps,
  owner: ListOwner<PostId>,
): Promise<Envelope<never> | undefined> {
  const posts = new PostSet(reads, owner.viewerId);
  const wanted = wantedOf('tweet', owner, owner.id);
  return posts.complete(() => {
    const post = posts.find(owner.id);
    if (!post) return refusal(notFoundError(wanted));
    return posts.visibility(post) === 'visible' ? undefined : refusal(notAuthorizedError(wanted));
  });
}

/**
 * Does the same for a list of a user's activity, such as posts and likes. It has the visibility of the account's
 * posts.
 */
export async function refuseListOfUser(
  { reads }: ViewDeps,
  owner: ListOwner<UserId>,
): Promise<Envelope<never> | undefined> {
  const { id, viewerId } = owner;
  const visibilityOf = await loadActivity(reads, [id], viewerId);
  const error = hiddenError(wantedOf('user', owner, id), visibilityOf(id));
  return error && refusal(error);
}

function refusal(error: PartialError): Envelope<never> {
  return { errors: [error] };
}
