import type { PostId, UserId } from '../../core/ids.js';
import type { Engine } from '../../database/engine.js';
import { RowCache } from '../../database/row-cache.js';
import type { KeyedChange } from '../../database/watchers.js';

/** The newest posts of a timeline, newest first. */
export interface NewestList {
  readonly ids: readonly PostId[];
  /** True if the timeline has no other posts. */
  readonly isWhole: boolean;
}

/** Reads up to `limit` newest posts. */
export type LoadNewest = (limit: number) => Promise<NewestList>;

/** About 2 KiB each. */
const MAX_LISTS = 8192;

/** The number of posts to read at least: with fewer, deletions would soon require another read. */
export const LOADED = 30;

/** A list that has grown to this length is cut to the posts that pages show. */
const MAX_LENGTH = 300;
const CUT_LENGTH = 101;

/**
 * Caches the newest posts of timelines that one table holds, such as those of a user, which clients poll. A new or
 * deleted post of a timeline changes its list in memory.
 */
export class NewestLists {
  private readonly lists: RowCache<UserId, NewestList>;

  /** `table` holds the timelines, by `user_id` and `post_id`. */
  constructor(engine: Engine, table: string) {
    this.lists = new RowCache(engine, [table], MAX_LISTS, (change, lists) => {
      for (const key of change.keys) lists.change(key as UserId, (list) => withChange(list, change));
      return true;
    });
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
export function holds({ ids, isWhole }: NewestList, limit: number): boolean {
  return isWhole || ids.length >= limit;
}

/** Returns the list after a change of one of its rows, or undefined if it is unknown. */
function withChange(list: NewestList, { kind, row }: KeyedChange): NewestList | undefined {
  const id = row?.['post_id'];
  if (typeof id !== 'bigint' || kind === 'update') return undefined;
  return kind === 'insert' ? withPost(list, id as PostId) : withoutPost(list, id as PostId);
}

/** Returns the list with a new post. */
export function withPost(list: NewestList, id: PostId): NewestList {
  const { ids, isWhole } = list;
  const place = ids.findIndex((other) => other <= id);
  if (ids[place] === id) return list;
  if (place < 0) return isWhole ? { ids: [...ids, id], isWhole } : list;
  const grown = [...ids.slice(0, place), id, ...ids.slice(place)];
  if (grown.length < MAX_LENGTH) return { ids: grown, isWhole };
  return { ids: grown.slice(0, CUT_LENGTH), isWhole: false };
}

/** Returns the list without a deleted post. */
export function withoutPost(list: NewestList, id: PostId): NewestList {
  return list.ids.includes(id) ? { ...list, ids: list.ids.filter((other) => other !== id) } : list;
}
