import type { PostId, UserId } from '../../core/ids.js';
import type { Engine } from '../../database/engine.js';
import { createCache } from '../../database/caches.js';
import type { RowCache } from '../../database/row-cache.js';
import type { KeyedChange } from '../../database/watchers.js';
import type { RelationCache } from '../../stores/relation-cache.js';
import { HOME_TABLES } from '../../stores/timeline-entries.js';

/** The newest posts of a timeline, newest first. */
interface NewestList {
  readonly ids: readonly PostId[];
  /** True if the timeline has no other posts. */
  readonly isWhole: boolean;
}

/** Reads up to `limit` newest posts. */
export type LoadNewest = (limit: number) => Promise<NewestList>;

/** The memory of a list: ids are objects. */
const bytesOf = ({ ids }: NewestList): number => 200 + 32 * ids.length;

/** The number of posts to read at least: with fewer, deletions would soon require another read. */
const LOADED = 30;

/** The number of posts to read beyond a page, in place of those that were deleted. */
const SPARE = 10;

/** A list that has grown to this length is cut to the posts that pages show. */
const MAX_LENGTH = 300;
const CUT_LENGTH = 101;

/** The table whose rows are the posts of all users. */
const POSTS = 'user_posts';

/** Caches the newest posts of users, which clients poll. A new or deleted post changes the list in memory. */
export class NewestPosts {
  private readonly lists: RowCache<UserId, NewestList>;

  constructor(engine: Engine) {
    const take = (change: KeyedChange, lists: RowCache<UserId, NewestList>): boolean => {
      for (const key of change.keys) lists.change(key as UserId, (list) => withChange(list, change));
      return true;
    };
    this.lists = createCache(engine, 'userPosts', { tables: [POSTS], bytesOf, take });
  }

  /** Returns at least `limit` ids if there are as many. */
  async read(userId: UserId, limit: number, load: LoadNewest): Promise<readonly PostId[]> {
    const known = this.lists.find(userId);
    if (known && holds(known, limit)) return known.ids;
    // Values in the cache are not read again.
    this.lists.change(userId);
    return ((await this.lists.read(userId, () => load(Math.max(limit, LOADED)))) ?? NOTHING).ids;
  }
}

const NOTHING: NewestList = { ids: [], isWhole: true };

/** Returns true if the list has `limit` ids, or all of its timeline. */
function holds({ ids, isWhole }: NewestList, limit: number): boolean {
  return isWhole || ids.length >= limit;
}

/** Returns the list after a change of one of its rows, or undefined if it is unknown. */
function withChange(list: NewestList, { kind, row }: KeyedChange): NewestList | undefined {
  const id = row?.['post_id'];
  if (typeof id !== 'bigint' || kind === 'update') return undefined;
  return kind === 'insert' ? withPost(list, id as PostId) : withoutPost(list, id as PostId);
}

/** Returns the list with a new post. */
function withPost(list: NewestList, id: PostId): NewestList {
  const { ids, isWhole } = list;
  const place = ids.findIndex((other) => other <= id);
  if (ids[place] === id) return list;
  if (place < 0) return isWhole ? { ids: [...ids, id], isWhole } : list;
  const grown = [...ids.slice(0, place), id, ...ids.slice(place)];
  if (grown.length < MAX_LENGTH) return { ids: grown, isWhole };
  return { ids: grown.slice(0, CUT_LENGTH), isWhole: false };
}

/** Returns the list without a deleted post. */
function withoutPost(list: NewestList, id: PostId): NewestList {
  return list.ids.includes(id) ? { ...list, ids: list.ids.filter((other) => other !== id) } : list;
}

/** A list that more changes of posts have passed is read again; merging them would take as long. */
const MAX_PASSED = 1_000;

/** The newest posts of a home timeline before the change at `position` of the log. */
interface Home extends NewestList {
  readonly position: number;
  /** The period of the read; see `HomeKey`. */
  readonly period: number;
}

/** A change of a user's posts; `id` is undefined if it is unknown. */
interface PostChange {
  readonly authorId: bigint;
  readonly id: PostId | undefined;
  readonly isInsert: boolean;
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
  private log: PostChange[] = [];
  /** The position of the first change in the log. */
  private start = 0;

  constructor(
    engine: Engine,
    private readonly relations: RelationCache,
  ) {
    const take = (change: KeyedChange, homes: RowCache<UserId, Home>): boolean => {
      if (change.table === POSTS) this.append(change);
      else for (const key of change.keys) homes.change(key as UserId);
      return true;
    };
    this.homes = createCache(engine, 'homes', { tables: [POSTS, ...HOME_TABLES], bytesOf, take });
  }

  /** Returns at least `limit` ids if there are as many. */
  async read({ userId, period }: HomeKey, limit: number, load: LoadNewest): Promise<readonly PostId[]> {
    await this.relations.readAll(userId);
    const known = this.current(userId);
    if (known && known.period === period && holds(known, limit)) return known.ids;
    // Values in the cache are not read again.
    this.homes.change(userId);
    const position = this.start + this.log.length;
    const loaded = await this.homes.read(userId, async () => {
      const list = await load(Math.max(limit + SPARE, LOADED));
      const shown = this.withoutDeleted(list);
      return { ...(holds(shown, limit) ? shown : list), position, period };
    });
    return loaded?.ids ?? [];
  }

  /**
   * Returns the list without deleted posts. A job removes their entries, later and without a notice to the caches:
   * they would leave gaps in pages until the list is read again.
   */
  private withoutDeleted(list: NewestList): NewestList {
    let shown = list;
    for (const { id, isInsert } of this.log)
      if (!isInsert && id !== undefined) shown = withoutPost(shown, id);
    return shown;
  }

  /**
   * Returns the cached list with the changes since the last read. Nothing is awaited here: a change of the relations
   * drops both the list and the relations, so those found here are at least as new as the list.
   */
  private current(userId: UserId): Home | undefined {
    const home = this.homes.find(userId);
    const follows = this.relations.peekAll(userId)?.follows;
    if (!home || !follows) return undefined;
    const from = home.position - this.start;
    if (from < 0 || this.log.length - from > MAX_PASSED) return undefined;
    let list: NewestList = home;
    for (let at = from; at < this.log.length; at += 1) {
      const { authorId, id, isInsert } = this.log[at] as PostChange;
      if (authorId !== userId && !follows.has(authorId as UserId)) continue;
      if (id === undefined) return undefined;
      list = isInsert ? withPost(list, id) : withoutPost(list, id);
    }
    if (from === this.log.length) return home;
    const current = { ...list, position: this.start + this.log.length, period: home.period };
    this.homes.change(userId, () => current);
    return current;
  }

  private append({ keys, kind, row }: KeyedChange): void {
    const id = row?.['post_id'];
    const post = typeof id === 'bigint' && kind !== 'update' ? (id as PostId) : undefined;
    for (const authorId of keys) this.log.push({ authorId, id: post, isInsert: kind === 'insert' });
    if (this.log.length < 2 * MAX_PASSED) return;
    this.start += this.log.length - MAX_PASSED;
    this.log = this.log.slice(-MAX_PASSED);
  }
}
