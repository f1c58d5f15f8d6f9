import type { UserId } from '../core/ids.js';
import type { Engine } from '../database/engine.js';
import { findRelations, type Relations } from './user-edges.js';

/** The tables of relations. Inserted rows invalidate the cache too. */
const RELATION_TABLES = ['follows', 'mutes', 'blocks', 'blocked_by'];

/** When a user's entry reaches this size, it is discarded and started again. */
const MAX_OTHERS = 256;
const MAX_USERS = 2048;

/** The cached relations of a user to the users looked up so far. */
class KnownRelations implements Relations {
  readonly users = new Set<UserId>();
  readonly follows = new Set<UserId>();
  readonly mutes = new Set<UserId>();
  readonly blocks = new Set<UserId>();
  readonly blockedBy = new Set<UserId>();

  add(others: readonly UserId[], relations: Relations): void {
    for (const id of others) this.users.add(id);
    for (const id of relations.follows) this.follows.add(id);
    for (const id of relations.mutes) this.mutes.add(id);
    for (const id of relations.blocks) this.blocks.add(id);
    for (const id of relations.blockedBy) this.blockedBy.add(id);
  }
}

/**
 * Caches the relations between users. Any change to follows, mutes or blocks, in this or another process, invalidates
 * the whole cache (`Engine.changesIn`).
 */
export class RelationCache {
  private users = new Map<UserId, KnownRelations>();
  private readonly version: () => number;
  private validAt: number;

  constructor(private readonly engine: Engine) {
    this.version = engine.changesIn(RELATION_TABLES);
    this.validAt = this.version();
  }

  /** Returns the user's relations to the others, which must be distinct; the sets may contain more users. */
  async read(userId: UserId, others: readonly UserId[]): Promise<Relations> {
    const known = this.knownOf(userId);
    const missing = others.filter((id) => !known.users.has(id));
    if (missing.length === 0) return known;
    const found = await findRelations(this.engine, userId, missing);
    // If the tables changed meanwhile, `known` is no longer in the cache: only callers from before the change hold
    // it.
    known.add(missing, found);
    return known;
  }

  private knownOf(userId: UserId): KnownRelations {
    const version = this.version();
    if (version !== this.validAt || this.users.size >= MAX_USERS) {
      this.users = new Map();
      this.validAt = version;
    }
    const known = this.users.get(userId);
    if (known && known.users.size < MAX_OTHERS) return known;
    const fresh = new KnownRelations();
    this.users.set(userId, fresh);
    return fresh;
  }
}
