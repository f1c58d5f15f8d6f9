import type { SavedSearchId, UserId } from './ids.js';

/** A search that a user keeps. */
export interface SavedSearch {
  readonly id: SavedSearchId;
  readonly userId: UserId;
  readonly query: string;
  readonly createdAtMs: number;
}
