import type { UserPrincipal } from '../../core/access.js';
import { forbidden, resourceNotFound } from '../../core/errors.js';
import type { SavedSearchId, UserId } from '../../core/ids.js';
import { MAX_SAVED_SEARCHES } from '../../core/limits.js';
import type { SavedSearch } from '../../core/saved-search.js';
import type { Tx } from '../../database/engine.js';
import { lockUsers } from '../../stores/locks.js';
import {
  deleteSavedSearch,
  findSavedSearch,
  insertSavedSearch,
  listSavedSearches,
} from '../../stores/saved-searches.js';
import type { ServiceDeps } from '../service-deps.js';

export type SavedSearchService = ReturnType<typeof createSavedSearchService>;

/** Creates the service for the searches that users keep (docs/api/pipit.md#saved-searches). */
export function createSavedSearchService({
  engine,
  ids,
  clock,
}: Pick<ServiceDeps, 'engine' | 'ids' | 'clock'>) {
  const save = async (tx: Tx, userId: UserId, query: string): Promise<SavedSearch> => {
    // Serializes the changes of one user, so that the limit holds.
    await lockUsers(tx, [userId]);
    const saved = await listSavedSearches(tx, userId);
    const same = saved.find((search) => search.query === query);
    if (same) return same;
    if (saved.length >= MAX_SAVED_SEARCHES) {
      throw forbidden(`You can save up to ${MAX_SAVED_SEARCHES} searches.`);
    }
    const search = { id: ids.next<SavedSearchId>(), userId, query, createdAtMs: clock() };
    await insertSavedSearch(tx, search);
    return search;
  };
  return {
    /** Returns the searches of the user, newest first. */
    list: (userId: UserId) => listSavedSearches(engine, userId),
    /** Returns a search of the user. Throws 'resource-not-found' for another one. */
    get: async ({ userId }: UserPrincipal, id: SavedSearchId): Promise<SavedSearch> => {
      const search = await findSavedSearch(engine, id);
      if (search?.userId === userId) return search;
      throw resourceNotFound({ resourceType: 'saved_search', parameter: 'id', value: String(id) });
    },
    /** Saves a search; returns the saved one if the user has the same. Throws 'forbidden' beyond the limit. */
    save: ({ userId }: UserPrincipal, query: string) =>
      engine.tx('save search', (tx) => save(tx, userId, query), 'read-committed'),
    /** Deletes a search of the user. Idempotent. */
    remove: async ({ userId }: UserPrincipal, id: SavedSearchId): Promise<void> => {
      await engine.tx('delete saved search', (tx) => deleteSavedSearch(tx, userId, id), 'read-committed');
    },
  };
}
