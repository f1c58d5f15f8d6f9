import type { SavedSearchId, UserId } from '../core/ids.js';
import type { SavedSearch } from '../core/saved-search.js';
import type { Queryable } from '../database/engine.js';
import { asId, asNumber, asText, sql } from '../database/sql.js';
import { defineTable, rowChange } from '../database/table.js';

const SEARCHES = defineTable<SavedSearch, SavedSearchId>('saved_searches', 'id', {
  id: ['id', asId],
  userId: ['user_id', asId],
  query: ['query', asText],
  createdAtMs: ['created_at', asNumber],
});

export const findSavedSearch = SEARCHES.find;
export const insertSavedSearch = SEARCHES.insert;

/** Returns the searches of all users, oldest first. */
export function listSearchesOfAllUsers(db: Queryable): Promise<SavedSearch[]> {
  return SEARCHES.list(db, sql`1 = 1 ORDER BY id`);
}

/** Returns the searches of a user, newest first. */
export function listSavedSearches(db: Queryable, userId: UserId): Promise<SavedSearch[]> {
  return SEARCHES.list(db, sql`user_id = ${userId} ORDER BY id DESC`);
}

/** Deletes a search of the user. Returns false if there is none. */
export const deleteSavedSearch = rowChange<[userId: UserId, id: SavedSearchId]>(
  'DELETE FROM saved_searches WHERE user_id = ? AND id = ?',
);
