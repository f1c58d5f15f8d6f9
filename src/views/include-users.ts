import type { UserId } from '../core/ids.js';
import { userVisibility } from '../core/visibility.js';
import type { ViewReads } from './hydrate/reads.js';
import { hydrateUsers } from './hydrate/users.js';
import type { Includes } from './includes.js';
import { type Wanted, hiddenError } from './present/partial-errors.js';
import { presenter } from './wire/presenter.js';
import { userFields } from './wire/user.js';

/** A user that an expansion leads to; `parameter` is the expansion, for error entries. */
export type ExpandedUser = readonly [parameter: string, id: UserId];

/**
 * Adds users to `includes`, each once; missing and suspended users become entries of `errors`
 * (docs/api/objects.md#field-selection).
 */
export async function includeUsers(
  reads: ViewReads,
  includes: Includes,
  wanted: readonly ExpandedUser[],
  viewer: { readonly viewerId: UserId | undefined; readonly fields: ReadonlySet<string> },
): Promise<void> {
  if (wanted.length === 0) return;
  const { viewerId, fields } = viewer;
  const users = await hydrateUsers(reads, [...new Set(wanted.map(([, id]) => id))], viewerId, fields);
  const present = presenter(userFields, fields);
  for (const [parameter, id] of wanted) {
    const user = users.find(id);
    const missing: Wanted = { type: 'user', parameter, value: String(id), section: 'includes' };
    const error = hiddenError(missing, user && userVisibility(user));
    if (error) includes.addError(error);
    else if (user) includes.add('users', String(id), () => present(user, users.extrasOf(id)));
  }
}
