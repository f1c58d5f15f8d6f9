import { defaultPictureUrl } from '../../core/default-picture.js';
import type { PostId, UserId } from '../../core/ids.js';
import { NO_POST_COUNTS, type Post, type PostCounts } from '../../core/post.js';
import type { User, UserCounts } from '../../core/user.js';
import type { Engine, Queryable } from '../../database/engine.js';
import {
  decodeGivenPost,
  findPostCounts,
  findPosts,
  POST_COUNT_TABLES,
  POST_TABLES,
} from '../../stores/posts.js';
import type { RelationCache } from '../../stores/relation-cache.js';
import { createCache, type CacheName, type CacheRules } from '../../database/caches.js';
import {
  byKey,
  byKeyWithCounts,
  byKeyWithRows,
  type Entry,
  type RowCache,
} from '../../database/row-cache.js';
import type { Relations } from '../../stores/user-edges.js';
import { findUserCounts, findUsers, USER_COUNT_TABLES, USER_TABLES } from '../../stores/users.js';
import type { Trace } from './trace.js';

/** The data sources of views: the database, and cached data that most views need. */
export interface ViewReads {
  /** For reads only. */
  readonly db: Queryable;
  readonly posts: Source<PostId, Post>;
  /** Counts of every id; zeros if nothing was counted. */
  readonly postCounts: Source<PostId, PostCounts>;
  /** Users, each with a picture, by default a generated one. */
  readonly users: Source<UserId, User>;
  readonly userCounts: Source<UserId, UserCounts>;
  /** Invalidates the cached values that have changed, and everything derived from them. */
  refresh(): void;
  /** Returns all relations of a user if they are cached and valid at this moment. */
  peekRelations(userId: UserId): Relations | undefined;
  /** Returns a user's relations to the others; the sets may contain more ids than requested. */
  findRelations(userId: UserId, others: readonly UserId[]): Promise<Relations>;
}

/** The memory of an object with its JSON, or its part of pages, which repeat the text. */
const bytesOfPost = ({ text }: Post): number => 2_200 + 6 * text.length;
const bytesOfUser = ({ description }: User): number => 1_500 + 8 * description.length;
const bytesOfCounts = (): number => 150;

/** Creates the data sources. `publicUrl` is the public URL of the server. */
export function createViewReads(engine: Engine, relations: RelationCache, publicUrl: string): ViewReads {
  const caches: Pick<RowCache<bigint, unknown>, 'refresh'>[] = [];
  const cached = <K extends bigint, V>(
    name: CacheName,
    tables: readonly string[],
    bytesOf: (value: V) => number,
    load: (ids: readonly K[]) => Promise<ReadonlyMap<K, V>>,
    take: CacheRules<K, V>['take'] = byKey,
  ): Source<K, V> => {
    const cache = createCache<K, V>(engine, name, { tables, bytesOf, take });
    caches.push(cache);
    return {
      find: (id) => cache.entry(id),
      peek: (id) => cache.peek(id),
      readAll: (ids) => cache.readAll(ids, load),
    };
  };
  const findPictured = async (ids: readonly UserId[]): Promise<Map<UserId, User>> =>
    withPictures(await findUsers(engine, ids), publicUrl);
  return {
    db: engine,
    posts: cached(
      'posts',
      POST_TABLES,
      bytesOfPost,
      findPosts.bind(undefined, engine),
      byKeyWithRows(decodeGivenPost),
    ),
    postCounts: cached(
      'postCounts',
      POST_COUNT_TABLES,
      bytesOfCounts,
      completeCounts.bind(undefined, engine),
      byKeyWithCounts,
    ),
    users: cached('users', USER_TABLES, bytesOfUser, findPictured),
    userCounts: cached(
      'userCounts',
      USER_COUNT_TABLES,
      bytesOfCounts,
      findUserCounts.bind(undefined, engine),
      byKeyWithCounts,
    ),
    refresh: () => {
      for (const cache of caches) cache.refresh();
    },
    peekRelations: (userId) => relations.peekAll(userId),
    findRelations: (userId, others) => relations.read(userId, others),
  };
}

function withPictures(users: Map<UserId, User>, publicUrl: string): Map<UserId, User> {
  for (const [id, user] of users) {
    if (user.profileImageUrl === undefined)
      users.set(id, { ...user, profileImageUrl: defaultPictureUrl(publicUrl, user) });
  }
  return users;
}

async function completeCounts(db: Queryable, ids: readonly PostId[]): Promise<Map<PostId, PostCounts>> {
  const counts = await findPostCounts(db, ids);
  for (const id of ids) if (!counts.has(id)) counts.set(id, NO_POST_COUNTS);
  return counts;
}

/** Stored values by id, from a cache or the database. */
export interface Source<K, V> {
  /** Returns the entry of the value if it is cached and valid at this moment. */
  find(id: K): Entry<V> | undefined;
  /** Does the same for a value that was just read, which is no hit. */
  peek(id: K): Entry<V> | undefined;
  /** Returns the existing values; reads those that are not cached. The caller owns the map. */
  readAll(ids: readonly K[]): Promise<Map<K, V>>;
}

/**
 * Looks values up for one response: those that are cached at once, the others after `fetch`. Values that were fetched
 * stay the same until they are fetched again.
 */
export class Lookup<K, V> {
  private fetched: Map<K, V | undefined> | undefined;
  private missing: Set<K> | undefined;

  constructor(
    private readonly source: Source<K, V>,
    private readonly trace: Trace,
  ) {}

  /** Returns the entry of a value that is cached; undefined if another value was fetched. */
  entry(id: K): Entry<V> | undefined {
    if (!this.fetched?.has(id)) return this.source.find(id);
    const entry = this.source.peek(id);
    return entry?.value === this.fetched.get(id) ? entry : undefined;
  }

  /** Returns undefined for a value that does not exist, or that is missing until the next `fetch`. */
  find(id: K): V | undefined {
    const entry = this.entry(id);
    if (this.trace.isRunning) this.trace.use(entry);
    if (entry) return entry.value;
    if (this.fetched?.has(id)) return this.fetched.get(id);
    (this.missing ??= new Set()).add(id);
    return undefined;
  }

  /** Reports whether a value was looked up that is neither cached nor fetched. */
  isMissingValues(): boolean {
    return this.missing !== undefined;
  }

  /** Reads the missing values. */
  async fetch(): Promise<void> {
    if (this.missing === undefined) return;
    const ids = [...this.missing];
    this.missing = undefined;
    await this.read(ids);
  }

  /** Reads the missing values, and all values that were fetched before again. */
  async fetchAgain(): Promise<void> {
    const ids = [...(this.fetched?.keys() ?? []), ...(this.missing ?? [])];
    this.missing = undefined;
    if (ids.length > 0) await this.read(ids);
  }

  private async read(ids: readonly K[]): Promise<void> {
    const found = await this.source.readAll(ids);
    this.fetched ??= new Map();
    for (const id of ids) this.fetched.set(id, found.get(id));
  }
}
