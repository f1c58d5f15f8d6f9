import type { PostId, UserId } from '../../core/ids.js';
import type { Engine } from '../../database/engine.js';
import { createCache } from '../../database/caches.js';
import type { RowCache } from '../../database/row-cache.js';
import type { KeyedChange } from '../../database/watchers.js';
import type { RelationCache } from '../../stores/relation-cache.js';
import { HOME_TABLES } from '../../stores/timeline-entries.js';
import { PostLog, slotsOf, type AuthorSlots } from './post-log.js';

/** The newest posts of a timeline, newest first. */
interface Newest {
  readonly ids: readonly PostId[];
  /** True if the timeline has no other posts. */
  readonly isWhole: boolean;
}

/** Reads up to `limit` newest posts. */
export type LoadNewest = (limit: number) => Promise<Newest>;

/** The number of posts to read at least: with fewer, deletions would soon require another read. */
const LOADED = 30;

/** The number of posts to read beyond a page, in place of those that were deleted. */
const SPARE = 10;

/** A cached list, which follows the changes of its timeline: copying it for each change would take longer than that. */
class NewestList implements Newest {
  readonly ids: PostId[];
  isWhole: boolean;
  /** The number of posts up to which it grows. */
  private readonly most: number;

  constructor({ ids, isWhole }: Newest) {
    this.ids = [...ids];
    this.isWhole = isWhole;
    this.most = Math.max(ids.length, LOADED) + SPARE;
  }

  /** The memory of the list: ids are objects. */
  get bytes(): number {
    return 200 + 32 * this.most;
  }

  insert(id: PostId): void {
    const { ids } = this;
    const place = ids.findIndex((other) => other <= id);
    if (ids[place] === id) return;
    if (place >= 0) ids.splice(place, 0, id);
    else if (this.isWhole) ids.push(id);
    if (ids.length <= this.most) return;
    ids.length = this.most - SPARE;
    this.isWhole = false;
  }

  remove(id: PostId): void {
    const place = this.ids.indexOf(id);
    if (place >= 0) this.ids.splice(place, 1);
  }
}

/** Returns the first ids of a list if it has `limit` ids, or all of its timeline. */
function firstOf({ ids, isWhole }: Newest, limit: number): PostId[] | undefined {
  return isWhole || ids.length >= limit ? ids.slice(0, limit) : undefined;
}

/** The table whose rows are the posts of all users. */
const POSTS = 'user_posts';

/** Caches the newest posts of users, which clients poll. A new or deleted post changes the list in memory. */
export class NewestPosts {
  private readonly lists: RowCache<UserId, NewestList>;

  constructor(engine: Engine) {
    const take = (change: KeyedChange, lists: RowCache<UserId, NewestList>): boolean => {
      for (const key of change.keys) lists.change(key as UserId, (list) => changed(list, change));
      return true;
    };
    this.lists = createCache(engine, 'userPosts', { tables: [POSTS], bytesOf: ({ bytes }) => bytes, take });
  }

  /** Returns the newest `limit` ids. */
  async read(userId: UserId, limit: number, load: LoadNewest): Promise<readonly PostId[]> {
    const cached = this.lists.find(userId);
    const known = cached && firstOf(cached, limit);
    if (known) return known;
    // Values in the cache are not read again.
    this.lists.change(userId);
    let read: readonly PostId[] = [];
    await this.lists.read(userId, async () => {
      const list = await load(Math.max(limit, LOADED));
      read = list.ids.slice(0, limit);
      return new NewestList(list);
    });
    return read;
  }
}

/** Returns the list after a change of one of its rows, or undefined if it is unknown. */
function changed(list: NewestList, { kind, row }: KeyedChange): NewestList | undefined {
  const id = row?.['post_id'];
  if (typeof id !== 'bigint' || kind === 'update') return undefined;
  if (kind === 'insert') list.insert(id as PostId);
  else list.remove(id as PostId);
  return list;
}

/** The newest posts of a home timeline after the first `end` changes of the log. */
class Home extends NewestList {
  /** Where the log has the changes of the reader and of followed users, after the first search. */
  slots: AuthorSlots | undefined;

  constructor(
    list: Newest,
    public end: number,
    /** The period of the read; see `HomeKey`. */
    readonly period: number,
  ) {
    super(list);
  }
}

/** Whose timeline is read, and in which period: in the next one it is loaded again. */
export interface HomeKey {
  readonly userId: UserId;
  readonly period: number;
}

/**
 * Caches the newest posts of home timelines, which clients poll. A new post does not touch the lists of followers: it
 * joins a log, and each reader merges the posts of followed authors since the last read.
 */
export class NewestHomes {
  private readonly homes: RowCache<UserId, Home>;
  private readonly log = new PostLog();

  constructor(
    engine: Engine,
    private readonly relations: RelationCache,
  ) {
    const take = (change: KeyedChange, homes: RowCache<UserId, Home>): boolean => {
      if (change.table === POSTS) this.append(change);
      else for (const key of change.keys) homes.change(key as UserId);
      return true;
    };
    this.homes = createCache(engine, 'homes', {
      tables: [POSTS, ...HOME_TABLES],
      bytesOf: ({ bytes }) => bytes,
      take,
    });
  }

  /** Returns the newest `limit` ids. */
  async read({ userId, period }: HomeKey, limit: number, load: LoadNewest): Promise<readonly PostId[]> {
    await this.relations.readAll(userId);
    const cached = this.current(userId);
    const known = cached?.period === period ? firstOf(cached, limit) : undefined;
    if (known) return known;
    // Values in the cache are not read again.
    this.homes.change(userId);
    const { end } = this.log;
    let read: readonly PostId[] = [];
    await this.homes.read(userId, async () => {
      const list = await load(Math.max(limit + SPARE, LOADED));
      const left = { ...list, ids: this.withoutDeleted(list.ids) };
      const shown = firstOf(left, limit);
      read = shown ?? list.ids.slice(0, limit);
      return new Home(shown ? left : list, end, period);
    });
    return read;
  }

  /**
   * Returns the ids without those of deleted posts. A job removes their entries, later and without a notice to the
   * caches: they would leave gaps in pages until the list is read again.
   */
  private withoutDeleted(ids: readonly PostId[]): readonly PostId[] {
    return ids.filter((id) => !this.log.hasDeleted(id));
  }

  /**
   * Returns the cached list with the changes since the last read. Nothing is awaited here: a change of the relations
   * drops both the list and the relations, so those found here are at least as new as the list.
   */
  private current(userId: UserId): Home | undefined {
    const home = this.homes.find(userId);
    const follows = this.relations.peekAll(userId)?.follows;
    if (!home || !follows) return undefined;
    home.slots ??= slotsOf(follows, userId);
    const changes = this.log.since(home.end, home.slots);
    if (!changes) return undefined;
    for (const { authorId, id, isInsert } of changes) {
      if (authorId !== userId && !follows.has(authorId)) continue;
      if (id === undefined) {
        this.homes.change(userId);
        return undefined;
      }
      if (isInsert) home.insert(id);
      else home.remove(id);
    }
    home.end = this.log.end;
    return home;
  }

  private append({ keys, kind, row }: KeyedChange): void {
    const id = row?.['post_id'];
    const post = typeof id === 'bigint' && kind !== 'update' ? (id as PostId) : undefined;
    for (const authorId of keys)
      this.log.append({ authorId: authorId as UserId, id: post, isInsert: kind === 'insert' });
  }
}
