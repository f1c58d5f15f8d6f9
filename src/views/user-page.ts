import type { UserId } from '../core/ids.js';
import type { User } from '../core/user.js';
import { userVisibility } from '../core/visibility.js';
import type { WireObject } from '../core/wire-json.js';
import { countLikedPosts } from '../stores/likes.js';
import { findUser, findUserCounts, findUserIds } from '../stores/users.js';
import { hydrateUsers, type UserSet } from './hydrate/users.js';
import { Includes, type Envelope } from './includes.js';
import type { Lookup } from './list-owner.js';
import { type ViewDeps, viewPosts } from './post-page.js';
import { notFoundError, suspendedError, wantedOf } from './present/partial-errors.js';
import { primaryUserFields } from './selection.js';
import { presenter } from './wire/presenter.js';
import { userV1Fields } from './wire/user-v1.js';
import { userFields } from './wire/user.js';

export interface UserRequest extends Lookup {
  /** Requested ids, or usernames in any case. */
  readonly names: readonly (UserId | string)[];
}

/** Returns the requested users in order, each once; missing and suspended ones become entries of `errors`. */
export async function viewUsers(deps: ViewDeps, request: UserRequest): Promise<Envelope<WireObject[]>> {
  const { selection, viewerId } = request;
  const includes = new Includes();
  const fields = primaryUserFields(selection);
  const idOf = await resolveNames(deps, request.names);
  const ids = new Set(request.names.map(idOf).filter((id) => id !== undefined));
  const users = await hydrateUsers(deps.reads, [...ids], viewerId, fields);
  const shown = shownUsers(request, idOf, users, includes);
  const present = presenter(userFields, fields);
  const data = [...shown].map((user) => present(user, users.extrasOf(user.id)));
  if (selection.expansions.has('pinned_tweet_id')) {
    await includePinnedPosts(deps, request, shown, includes);
  }
  return includes.envelope(data.length > 0 ? data : undefined);
}

async function resolveNames(
  deps: ViewDeps,
  names: readonly (UserId | string)[],
): Promise<(name: UserId | string) => UserId | undefined> {
  const usernames = names.filter((name) => typeof name === 'string');
  const ids = await findUserIds(deps.reads.db, usernames);
  return (name) => (typeof name === 'string' ? ids.get(name.toLowerCase()) : name);
}

function shownUsers(
  request: UserRequest,
  idOf: (name: UserId | string) => UserId | undefined,
  users: UserSet,
  includes: Includes,
): Set<User> {
  const shown = new Set<User>();
  for (const name of request.names) {
    const id = idOf(name);
    const user = id === undefined ? undefined : users.find(id);
    if (user && userVisibility(user) === 'visible') {
      shown.add(user);
    } else if (request.parameter !== undefined) {
      const wanted = wantedOf('user', request, name);
      includes.addError(user ? suspendedError(wanted) : notFoundError(wanted));
    }
  }
  return shown;
}

/** Adds pinned posts through the usual visibility check, which hides protected ones. */
async function includePinnedPosts(
  deps: ViewDeps,
  request: UserRequest,
  shown: ReadonlySet<User>,
  includes: Includes,
): Promise<void> {
  const ids = [...shown].map((user) => user.pinnedPostId).filter((id) => id !== undefined);
  const selection = { ...request.selection, expansions: new Set<string>() };
  const { viewerId } = request;
  includes.addPosts(await viewPosts(deps, { ids, viewerId, selection, parameter: 'pinned_tweet_id' }));
}

const presentV1 = presenter(userV1Fields, new Set());

/** Returns a user in the v1.1 format as shown to that user, without `id`; undefined if there is none. */
export async function viewUserV1(
  { reads, publicUrl }: ViewDeps,
  id: UserId,
): Promise<WireObject | undefined> {
  const user = await findUser(reads.db, id);
  if (!user) return undefined;
  const counts = (await findUserCounts(reads.db, [id])).get(id);
  return presentV1(user, { counts, likes: await countLikedPosts(reads.db, id), publicUrl });
}
