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
