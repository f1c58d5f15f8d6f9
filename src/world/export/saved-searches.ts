import type { Queryable } from '../../database/engine.js';
import { listSearchesOfAllUsers } from '../../stores/saved-searches.js';
import { entryOf, timeBeside, type Entry } from './entry.js';
import type { Names } from './names.js';

/** Returns the searches that users keep, oldest first. */
export async function exportSavedSearches(db: Queryable, names: Names): Promise<Entry[]> {
  return (await listSearchesOfAllUsers(db)).flatMap(({ id, userId, query, createdAtMs }) => {
    const user = names.find(userId);
    if (user === undefined) return [];
    return [entryOf({ id: String(id), user, query, created_at: timeBeside(id, createdAtMs) })];
  });
}
