import type { UserId } from '../core/ids.js';
import type { Engine } from '../database/engine.js';
import { createCache } from '../database/caches.js';
import { byKey, type RowCache } from '../database/row-cache.js';
import { findAllRelations, findRelations, type Relations } from './user-edges.js';

/** The tables of relations. Inserted rows invalidate the cache too. */
const RELATION_TABLES = ['follows', 'mutes', 'blocks', 'blocked_by'];

/** A user with more relations has them looked up for each page; reading them all would take longer. */
const MAX_RELATIONS = 5_000;

/** Stands for a user with too many relations. */
const TOO_MANY = 'too many';

/** An `IdSet` uses up to 64 bytes for an id. */
function bytesOf(relations: Relations | typeof TOO_MANY): number {
  if (relations === TOO_MANY) return 100;
  const { follows, mutes, blocks, blockedBy } = relations;
  return 500 + 64 * (follows.size + mutes.size + blocks.size + blockedBy.size);
}

/**
 * Caches all relations of users to others. A change to the follows, mutes or blocks of a user, in this or another
 * process, invalidates that user's entry (`Engine.changesIn`).
 */
export class RelationCache {
  private readonly users: RowCache<UserId, Relations | typeof TOO_MANY>;

  constructor(private readonly engine: Engine) {
    this.users = createCache(engine, 'relations', { tables: RELATION_TABLES, bytesOf, take: byKey });
  }

  /** Returns the user's relations to the others, which must be distinct; the sets may contain more users. */
  async read(userId: UserId, others: readonly UserId[]): Promise<Relations> {
    return (await this.readAll(userId)) ?? findRelations(this.engine, userId, others);
  }

  /** Returns all relations of the user, or undefined if there are too many. */
  async readAll(userId: UserId): Promise<Relations | undefined> {
    const known = await this.users.read(
      userId,
      async () => (await findAllRelations(this.engine, userId, MAX_RELATIONS)) ?? TOO_MANY,
    );
    return known === TOO_MANY ? undefined : known;
  }

  /** Returns all relations of the user if they are cached and valid at this moment. */
  peekAll(userId: UserId): Relations | undefined {
    const known = this.users.find(userId);
    return known === TOO_MANY ? undefined : known;
  }
}
