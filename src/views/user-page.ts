import type { UserId } from '../core/ids.js';
import type { User } from '../core/user.js';
import { userVisibility } from '../core/visibility.js';
import type { WireJson } from '../core/wire-json.js';
import { countLikedPosts } from '../stores/likes.js';
import { findUser, findUserCounts } from '../stores/users.js';
import { ObjectSet } from './hydrate/objects.js';
import { PostSet } from './hydrate/posts.js';
import { userWriter } from './include-users.js';
import { Includes, type Envelope } from './includes.js';
import type { Lookup } from './list-owner.js';
import { type ViewDeps, presentPosts } from './post-page.js';
import { notFoundError, suspendedError, wantedOf } from './present/partial-errors.js';
import { dataUserFields, withoutExpansions } from './selection.js';
import { presentUserV1, type UserV1 } from './v1/user.js';

export interface UserRequest extends Lookup {
  /** Requested ids, or usernames in any case. */
  readonly names: readonly (UserId | string)[];
}

/** Returns the requested users in order, each once; missing and suspended ones become entries of `errors`. */
export function viewUsers(deps: ViewDeps, request: UserRequest): Promise<Envelope<WireJson[]>> {
  const objects = new PostSet(deps.reads, request.viewerId);
  return objects.complete(() => presentUsers(deps, request, objects));
}

export interface ActorRequest extends Pick<Lookup, 'viewerId' | 'selection'> {
  readonly ids: readonly UserId[];
}

/**
 * Returns users in the given order as those who acted, such as by liking a post. Omits users whose activity the
 * viewer may not see: showing that a protected account liked a post would disclose its likes.
 */
export function viewActors(deps: ViewDeps, { ids, ...request }: ActorRequest): Promise<Envelope<WireJson[]>> {
  const objects = new ObjectSet(deps.reads, request.viewerId);
  return objects.complete(() => {
    const names = ids.filter((id) => objects.activityOf(id) === 'visible');
    return presentUsers(deps, { ...request, names }, objects);
  });
}

function presentUsers(deps: ViewDeps, request: UserRequest, objects: PostSet): Envelope<WireJson[]> {
  const { selection, viewerId } = request;
  const includes = new Includes();
  const shown = shownUsers(request, objects, includes);
  const write = userWriter(dataUserFields(selection));
  const data = shown.map((user) => write(user, objects));
  if (selection.expansions.has('pinned_tweet_id')) {
    // Pinned posts pass the usual visibility check, which hides protected ones.
    const ids = shown.map((user) => user.pinnedPostId).filter((id) => id !== undefined);
    const pinned = { ids, viewerId, selection: withoutExpansions(selection), parameter: 'pinned_tweet_id' };
    includes.addPosts(presentPosts(deps, pinned, objects));
  }
  return includes.envelope(data.length > 0 ? data : undefined);
}

function shownUsers(request: UserRequest, objects: PostSet, includes: Includes): User[] {
  const shown = new Set<User>();
  for (const name of request.names) {
    const user = objects.findUser(name);
    if (user && userVisibility(user) === 'visible') {
      shown.add(user);
    } else if (request.parameter !== undefined) {
      const wanted = wantedOf('user', request, name);
      includes.addError(user ? suspendedError(wanted) : notFoundError(wanted));
    }
  }
  return [...shown];
}

/** Returns a user in the v1.1 format as shown to that user; undefined if there is none. */
export async function viewUserV1({ reads, publicUrl }: ViewDeps, id: UserId): Promise<UserV1 | undefined> {
  const user = await findUser(reads.db, id);
  if (!user) return undefined;
  const counts = (await findUserCounts(reads.db, [id])).get(id);
  return presentUserV1(user, { counts, likes: await countLikedPosts(reads.db, id), publicUrl });
}
