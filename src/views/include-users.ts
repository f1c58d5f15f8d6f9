import type { UserId } from '../core/ids.js';
import type { User } from '../core/user.js';
import { userVisibility } from '../core/visibility.js';
import type { WireJson } from '../core/wire-json.js';
import type { PostSet } from './hydrate/posts.js';
import type { Includes } from './includes.js';
import { withUserMetrics } from './present/counted-json.js';
import type { FixedJson } from './present/fixed-json.js';
import { missing, notFoundError, suspendedError } from './present/partial-errors.js';
import { presenter } from './wire/presenter.js';
import { extraUserFields } from './wire/user.js';

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
  written: FixedJson<User>,
  objects: PostSet,
  includes: Includes,
  wanted: readonly WantedUser[],
  fields: ReadonlySet<string>,
): void {
  if (wanted.length === 0) return;
  const write = userWriter(written, fields, objects);
  const added = new Set<User>();
  for (const { parameter, username, id = objects.findUserId(username ?? '') } of wanted) {
    const user = id === undefined ? undefined : objects.users.find(id);
    if (user && added.has(user)) continue;
    if (user && userVisibility(user) === 'visible') {
      added.add(user);
      const wire = write(user);
      includes.add('users', wire.id, () => wire);
    } else {
      const refused = missing('user', parameter, username ?? String(id));
      includes.addError(user ? suspendedError(refused) : notFoundError(refused));
    }
  }
}

/** Returns a writer of users with these fields. */
export function userWriter(
  written: FixedJson<User>,
  fields: ReadonlySet<string>,
  { users }: PostSet,
): (user: User) => WireJson {
  const fixed = written.writer(fields);
  const presentExtras = presenter(extraUserFields, fields);
  return (user) => {
    const wire = fixed(user);
    const extras = users.extrasOf(user.id, fields) ?? {};
    const { counts, relation, isViewer } = extras;
    if (relation || isViewer !== undefined) return wire.with(presentExtras(user, extras));
    return counts ? withUserMetrics(wire, user, counts) : wire;
  };
}
