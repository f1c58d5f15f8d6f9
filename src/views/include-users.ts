import type { UserId } from '../core/ids.js';
import { memoized } from '../core/memoized.js';
import type { User } from '../core/user.js';
import { userVisibility } from '../core/visibility.js';
import type { WireJson } from '../core/wire-json.js';
import type { PostSet } from './hydrate/posts.js';
import type { Includes } from './includes.js';
import { withUserMetrics } from './present/counted-json.js';
import { FixedJson } from './present/fixed-json.js';
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
  writers: UserWriters,
  objects: PostSet,
  includes: Includes,
  wanted: readonly WantedUser[],
  fields: ReadonlySet<string>,
): void {
  if (wanted.length === 0) return;
  const write = writers(fields);
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

export type UserWriters = (fields: ReadonlySet<string>) => UserWriter;

/** Returns a function that returns the writer of users with given fields. */
export function createUserWriters(): UserWriters {
  const fixed = new FixedJson<User>(profileFields);
  return memoized((fields: ReadonlySet<string>) => {
    const write = fixed.writer(fields);
    const presentExtras = presenter(extraUserFields, fields);
    return (user, { users }) => {
      const wire = write(user);
      const extras = users.extrasOf(user.id, fields) ?? {};
      const { counts, relation, isViewer } = extras;
      if (relation || isViewer !== undefined) return wire.with(presentExtras(user, extras));
      return counts ? withUserMetrics(wire, user, counts) : wire;
    };
  });
}
