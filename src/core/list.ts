import type { ListId, UserId } from './ids.js';

/** A List of accounts, curated by its owner (docs/api/objects.md). */
export interface List {
  readonly id: ListId;
  readonly ownerId: UserId;
  readonly name: string;
  readonly description: string;
  /** Visible to its owner only. */
  readonly private: boolean;
  readonly createdAtMs: number;
}

export interface ListCounts {
  readonly members: number;
  readonly followers: number;
}

/** The settings chosen by the owner. */
export type ListSettings = Pick<List, 'name' | 'description' | 'private'>;
