import type { UserId } from '../core/ids.js';
import type { Engine } from '../database/engine.js';
import { findRelations, type Relations } from './user-edges.js';

/** The tables that say how users stand to each other: of these rows that are added count as changes too. */
const RELATION_TABLES = ['follows', 'mutes', 'blocks', 'blocked_by'];

/** Of a user who has read about more others than this, what was read before is forgotten. */
const MAX_OTHERS = 256;
const MAX_USERS = 2048;

/** What is known of a user: how it stands to those of whom it was asked. */
class KnownRelations implements Relations {
  readonly asked = new Set<UserId>();
  readonly follows = new Set<UserId>();
  readonly mutes = new Set<UserId>();
  readonly blocks = new Set<UserId>();
  readonly blockedBy = new Set<UserId>();

  add(others: readonly UserId[], relations: Relations): void {
    for (const id of others) this.asked.add(id);
    for (const id of relations.follows) this.follows.add(id);
    for (const id of relations.mutes) this.mutes.add(id);
    for (const id of relations.blocks) this.blocks.add(id);
    for (const id of relations.blockedBy) this.blockedBy.add(id);
  }
}

/**
 * Keeps how users stand to others for as long as it is true: everything is forgotten when anybody begins or ends to
 * follow, mute or block somebody, in this process or another (`Engine.changesIn`).
 */
export class RelationCache {
  private users = new Map<UserId, KnownRelations>();
  private readonly version: () => number;
  private validAt: number;

  constructor(private readonly engine: Engine) {
    this.version = engine.changesIn(RELATION_TABLES);
    this.validAt = this.version();
  }

  /** How the user stands to the others, each of them named once, and perhaps to more. */
  async read(userId: UserId, others: readonly UserId[]): Promise<Relations> {
    const known = this.knownOf(userId);
    const unasked = others.filter((id) => !known.asked.has(id));
    if (unasked.length === 0) return known;
    const found = await findRelations(this.engine, userId, unasked);
    // When something changed meanwhile nobody finds `known` any more; whoever holds it asked before that.
    known.add(unasked, found);
    return known;
  }

  private knownOf(userId: UserId): KnownRelations {
    const version = this.version();
    if (version !== this.validAt || this.users.size >= MAX_USERS) {
      this.users = new Map();
      this.validAt = version;
    }
    const known = this.users.get(userId);
    if (known && known.asked.size < MAX_OTHERS) return known;
    const begun = new KnownRelations();
    this.users.set(userId, begun);
    return begun;
  }
}
