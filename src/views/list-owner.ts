import type { ListId, PostId, UserId } from '../core/ids.js';
import type { SpaceId } from '../core/space.js';
import { ObjectSet } from './hydrate/objects.js';
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
export const refuseListOfPost = refusing((objects, owner: ListOwner<PostId>) => {
  const wanted = wantedOf('tweet', owner, owner.id);
  const post = objects.find(owner.id);
  if (!post) return notFoundError(wanted);
  return objects.visibility(post) === 'visible' ? undefined : notAuthorizedError(wanted);
});

/**
 * Does the same for a list of a user's activity, such as posts and likes. It has the visibility of the account's
 * posts.
 */
export const refuseListOfUser = refusing((objects, owner: ListOwner<UserId>) =>
  hiddenError(wantedOf('user', owner, owner.id), objects.activityOf(owner.id)),
);

/** Does the same for a page of a List's content. */
export const refusePageOfList = refusing((objects, owner: ListOwner<ListId>) =>
  objects.findList(owner.id) ? undefined : notFoundError(wantedOf('list', owner, owner.id)),
);

/** Does the same for a page of a Space's content. */
export const refusePageOfSpace = refusing((objects, { id }: ListOwner<SpaceId>) =>
  hiddenSpaceError(objects, id),
);

/** Returns the entry for a Space that cannot be shown; one of a suspended or removed account counts as missing. */
export function hiddenSpaceError(
  objects: ObjectSet,
  id: SpaceId,
  parameter?: string,
): PartialError | undefined {
  const space = objects.findSpace(id);
  const visibility = space && objects.activityOf(space.creatorId);
  const shown = visibility === 'suspended' ? undefined : visibility;
  return hiddenError(wantedOf('space', { parameter }, id), shown);
}

/** Returns the function that answers with the entry for the owner, if there is one. */
function refusing<T>(errorOf: (objects: ObjectSet, owner: ListOwner<T>) => PartialError | undefined) {
  return ({ reads }: ViewDeps, owner: ListOwner<T>): Promise<Envelope<never> | undefined> => {
    const objects = new ObjectSet(reads, owner.viewerId);
    return objects.complete(() => {
      const error = errorOf(objects, owner);
      return error && { errors: [error] };
    });
  };
}
