import type { MediaId, PostId, UserId } from '../core/ids.js';
import type { Media, Post } from '../core/post.js';
import type { User } from '../core/user.js';
import type { Queryable } from '../database/engine.js';
import { findMedia } from './media.js';
import { findPosts } from './posts.js';
import { findUserIds, findUsers } from './users.js';

/** Reads objects by key, each key once, also if it is absent. For use within one transaction. */
export class Lookup<K, V> {
  readonly #known = new Map<K, V | undefined>();

  constructor(private readonly find: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>) {}

  /** Returns the objects among `keys`, by key. Reads those that are not known yet. */
  async load(keys: Iterable<K>): Promise<Map<K, V>> {
    const wanted = [...new Set(keys)];
    const missing = wanted.filter((key) => !this.#known.has(key));
    const found = missing.length > 0 ? await this.find(missing) : new Map<K, V>();
    for (const key of missing) this.#known.set(key, found.get(key));
    return new Map(
      wanted.flatMap((key) => {
        const value = this.#known.get(key);
        return value === undefined ? [] : [[key, value] as const];
      }),
    );
  }

  /** Registers an object that the transaction has stored, or that there is none. */
  set(key: K, value: V | undefined): void {
    this.#known.set(key, value);
  }

  /** Returns an object that was loaded or registered. */
  get(key: K): V | undefined {
    return this.#known.get(key);
  }
}

/** The objects from which texts and posts are composed. */
export interface Lookups {
  readonly users: Lookup<UserId, User>;
  /** Keyed by lower-case username. */
  readonly userIds: Lookup<string, UserId>;
  readonly posts: Lookup<PostId, Post>;
  readonly media: Lookup<MediaId, Media>;
}

export function createLookups(db: Queryable): Lookups {
  return {
    users: new Lookup((ids) => findUsers(db, ids)),
    userIds: new Lookup((usernames) => findUserIds(db, usernames)),
    posts: new Lookup((ids) => findPosts(db, ids)),
    media: new Lookup((ids) => findMedia(db, ids)),
  };
}
