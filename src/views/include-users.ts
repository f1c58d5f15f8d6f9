import type { UserId } from '../core/ids.js';
import { memoized } from '../core/memoized.js';
import type { User, UserCounts } from '../core/user.js';
import { userVisibility } from '../core/visibility.js';
import { WireJson } from '../core/wire-json.js';
import { KEPT } from '../database/blank.js';
import type { PostSet } from './hydrate/posts.js';
import type { Includes } from './includes.js';
import { missing, notFoundError, suspendedError } from './present/partial-errors.js';
import { presenter } from './wire/presenter.js';
import { extraUserFields, profileFields } from './wire/user.js';

/**
 * A user that an expansion leads to, by id, or by username for a mention without an id; `parameter` is the expansion,
 * for error entries.
 */
export interface WantedUser {
  readonly parameter: string;
  readonly id?: UserId;
  readonly username?: string;
}

/**
 * Adds users to `includes`, each once; missing and suspended users become entries of `errors`
 * (docs/api/objects.md#field-selection).
 */
export function includeUsers(
  objects: PostSet,
  includes: Includes,
  wanted: readonly WantedUser[],
  fields: ReadonlySet<string>,
): void {
  if (wanted.length === 0) return;
  const write = userWriter(fields);
  for (const user of findWanted(objects, includes, wanted)) includes.addUser(user, write, objects);
}

/** Returns the visible users, some of them several times; the others become entries of `errors`. */
export function findWanted(objects: PostSet, includes: Includes, wanted: readonly WantedUser[]): User[] {
  const found: User[] = [];
  for (const { parameter, username, id = objects.findUserId(username ?? '') } of wanted) {
    const user = id === undefined ? undefined : objects.users.find(id);
    if (user && userVisibility(user) === 'visible') {
      found.push(user);
    } else {
      const refused = missing('user', parameter, username ?? String(id));
      includes.addError(user ? suspendedError(refused) : notFoundError(refused));
    }
  }
  return found;
}

/** Writes a user; `objects` has what is shown beside it. */
export type UserWriter = (user: User, objects: PostSet) => WireJson;

/** The JSON of a user that every viewer gets, kept with the user: for a page, a WeakMap costs more than writing it. */
interface Written {
  readonly fields: ReadonlySet<string>;
  readonly counts: UserCounts | undefined;
  readonly wire: WireJson;
}

/**
 * Returns the writer of users with given fields. A user keeps its JSON for the last fields and counts: a user never
 * changes, since changes are read as another object, and lives as long as the cached row (database/row-cache.ts).
 */
export const userWriter = memoized((fields: ReadonlySet<string>): UserWriter => {
  const presentProfile = presenter(profileFields, fields);
  const presentExtras = presenter(extraUserFields, fields);
  return (user: User & { [KEPT]?: Written }, objects) => {
    const extras = objects.users.extrasOf(user.id, fields) ?? {};
    const { counts, relation, isViewer } = extras;
    const isForAll = relation === undefined && isViewer === undefined;
    const known = user[KEPT];
    if (isForAll && known?.fields === fields && known.counts === counts) return known.wire;
    const id = String(user.id);
    if (objects.isMissingValues()) return new WireJson(id, '{}');
    const members = Object.assign(presentProfile(user), presentExtras(user, extras));
    const wire = new WireJson(id, JSON.stringify(members));
    if (isForAll) user[KEPT] = { fields, counts, wire };
    return wire;
  };
});
