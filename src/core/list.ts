import type { ListId, UserId } from './ids.js';

/** A List of accounts that its owner puts together (docs/api/objects.md). */
export interface List {
  readonly id: ListId;
  readonly ownerId: UserId;
  readonly name: string;
  readonly description: string;
  /** Visible to its owner alone. */
  readonly private: boolean;
  readonly createdAtMs: number;
}

export interface ListCounts {
  readonly members: number;
  readonly followers: number;
}

/** What an owner chooses. */
export type ListSettings = Pick<List, 'name' | 'description' | 'private'>;

/** In code points (docs/api/lists.md). */
export const MAX_LIST_NAME = 25;
export const MAX_LIST_DESCRIPTION = 100;

/** docs/api/lists.md, last line. */
export const MAX_OWNED_LISTS = 1_000;
export const MAX_LIST_MEMBERS = 5_000;
export const MAX_PINNED_LISTS = 5;
