import type { SavedSearchId } from '../core/ids.js';
import { MAX_SAVED_QUERY } from '../core/limits.js';
import { timeOfId } from '../core/snowflake.js';
import * as v from '../core/validators.js';
import { findSavedSearch, insertSavedSearch } from '../stores/saved-searches.js';
import { referencesIn } from './known.js';
import { requireUnique, type Check, type Load } from './pass.js';
import { idOf, listOf, objectOf } from './readers.js';
import { username } from './users.js';
import { worldTime } from './world-time.js';

const search = objectOf({
  id: v.required(idOf<SavedSearchId>()),
  user: v.required(username),
  query: v.required(v.text({ min: 1, max: MAX_SAVED_QUERY, pattern: /\S/ })),
  created_at: worldTime,
});
export const readSavedSearches = listOf(search);
type WorldSearch = v.ValueOf<typeof search>;

/** Checks that users exist, and that a stored search is the same user's. */
export async function checkSavedSearches(
  entries: readonly WorldSearch[],
  { known, faults }: Check,
): Promise<void> {
  requireUnique(entries, 'id', ({ id }) => id, faults);
  await known.requireUsers(referencesIn(entries, 'user'), faults);
  for (const { id, user, path } of entries) {
    const stored = await findSavedSearch(known.db, id);
    if (stored && stored.userId !== known.findUserId(user))
      faults.add(`${path}.id`, `is a search of user ${stored.userId} in the database`);
  }
}

/** Stores the searches that are not in the database. */
export async function storeSavedSearches(entries: readonly WorldSearch[], load: Load): Promise<void> {
  const { tx, known, nowMs } = load;
  for (const { id, user, query, created_at: createdAt } of entries) {
    if (await findSavedSearch(tx, id)) continue;
    const createdAtMs = createdAt?.at(nowMs) ?? timeOfId(id) ?? nowMs;
    await insertSavedSearch(tx, { id, userId: known.userId(user), query, createdAtMs });
    load.added('saved_searches');
  }
}
