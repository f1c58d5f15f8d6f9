import type { PostId, UserId } from '../../core/ids.js';
import {
  EVERY_KEY,
  isBackward,
  keysOf,
  pageOf,
  type KeyRange,
  type Page,
  type PageRequest,
} from '../../core/page.js';
import { withMembers } from '../../core/with-members.js';
import type { Queryable } from '../../database/engine.js';
import type { TimelineOrder, TimelineRange, TimelineTable } from '../../stores/timeline-entries.js';

/** An ordered source of post ids: one timeline, or several merged ones. */
export interface TimelineSource {
  list(range: TimelineRange, order: TimelineOrder, limit: number): Promise<PostId[]>;
  /** Returns the `depth`th newest post, counted from 1; undefined when there are fewer. */
  nthNewest(depth: number): Promise<PostId | undefined>;
}

/** The bounds of a timeline request (docs/api/timelines.md#bounds): ids are exclusive, times (ms) inclusive. */
export interface TimelineBounds {
  readonly sinceId?: PostId;
  readonly untilId?: PostId;
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** The requested page of a timeline. */
export interface TimelineRequest {
  readonly bounds: TimelineBounds;
  readonly page: PageRequest;
}

export interface TimelineWalk extends TimelineRequest {
  /** The number of posts that can be reached, before filtering (docs/api/limits.md#sizes). */
  readonly depth: number;
}

/**
 * Returns a page of a timeline's ids. The first page is within the depth unless the request has bounds. The second
 * page computes the end of the timeline and stores it in its cursors, so that later pages agree on it.
 */
export async function walkTimeline(source: TimelineSource, walk: TimelineWalk): Promise<Page<PostId>> {
  const { bounds, page } = walk;
  const end = await endOf(source, walk);
  const keys = keysOf(page, await windowOf(source, bounds, end[0]));
  const range = withMembers(keys, { fromMs: bounds.fromMs, toMs: bounds.toMs });
  const ids = await source.list(range, isBackward(page) ? 'oldest' : 'newest', page.limit + 1);
  return pageOf(ids, page, (id) => id, end);
}

/** Returns the id of the last reachable post when it matters; 0 when all posts are reachable. */
async function endOf(
  source: TimelineSource,
  { bounds, page, depth }: TimelineWalk,
): Promise<readonly bigint[]> {
  if (page.cursor && page.cursor.extra.length > 0) return page.cursor.extra;
  const isBounded = [bounds.untilId, bounds.fromMs, bounds.toMs].some((bound) => bound !== undefined);
  if (!page.cursor && !isBounded) return [];
  return [(await source.nthNewest(depth)) ?? 0n];
}

/** Clamps the bounds to the reachable part of the timeline (docs/api/timelines.md#bounds). */
async function windowOf(
  source: TimelineSource,
  { sinceId, untilId }: TimelineBounds,
  end = 0n,
): Promise<KeyRange> {
  const since = sinceId ?? EVERY_KEY.above;
  const above = since < end ? end - 1n : since;
  if (untilId === undefined) return { above, upTo: EVERY_KEY.upTo };
  const isReachable = end === 0n || untilId > end;
  const until = isReachable ? untilId : ((await source.nthNewest(1)) ?? untilId);
  return { above, upTo: until - 1n };
}

/** Returns one user's part of a stored timeline as a source. */
export function storedTimeline(db: Queryable, table: TimelineTable, userId: UserId): TimelineSource {
  return {
    list: (range, order, limit) => table.list(db, userId, range, order, limit),
    nthNewest: (depth) => table.nthNewest(db, userId, depth),
  };
}

/**
 * Merges several timelines and removes duplicates. Reads the first source alone, and from the others only entries
 * within its page; list the source with the most posts first.
 */
export function mergedTimeline([first, ...others]: readonly [
  TimelineSource,
  ...TimelineSource[],
]): TimelineSource {
  if (others.length === 0) return first;
  const list: TimelineSource['list'] = async (range, order, limit) => {
    const ids = await first.list(range, order, limit);
    const last = ids[limit - 1];
    const rest = last === undefined ? range : upToEntry(range, order, last);
    const lists = await Promise.all(others.map((source) => source.list(rest, order, limit)));
    return mergeIds([ids, ...lists], order).slice(0, limit);
  };
  return {
    list,
    nthNewest: async (depth) => (await list(EVERY_KEY, 'newest', depth))[depth - 1],
  };
}

/** Returns the part of a range that precedes an entry, in reading order. */
function upToEntry(range: TimelineRange, order: TimelineOrder, entry: PostId): TimelineRange {
  return order === 'newest' ? { ...range, above: entry } : { ...range, upTo: entry - 1n };
}

function mergeIds(lists: readonly (readonly PostId[])[], order: TimelineOrder): PostId[] {
  const filled = lists.filter((ids) => ids.length > 0);
  if (filled.length <= 1) return [...(filled[0] ?? [])];
  const sign = order === 'newest' ? -1 : 1;
  return [...new Set(filled.flat())].sort((one, other) => (one < other ? -sign : one > other ? sign : 0));
}
