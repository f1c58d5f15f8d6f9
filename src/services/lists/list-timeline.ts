import type { ListId, PostId, UserId } from '../../core/ids.js';
import { EVERY_KEY, type KeyRange } from '../../core/page.js';
import type { Queryable } from '../../database/engine.js';
import { listAllMembers } from '../../stores/list-users.js';
import { listPostsByAnyone, listMembersPosts } from '../../stores/list-timelines.js';
import type { TimelineOrder } from '../../stores/timeline-entries.js';
import type { TimelineSource } from '../timelines/walk-timeline.js';

/** The number of posts in the first scan; each further scan multiplies it. */
const FIRST_POSTS = 500;
const MORE_POSTS = 4;

/** The maximum factor between the widths of successive id windows. */
const MAX_GROWTH = 64;

/**
 * Returns the posts and reposts of a List's members. Nothing is precomputed, so that posting is cheap and membership
 * changes take effect at once.
 *
 * A page is read in two phases. The first scans the nearest posts of all users, one per member: this costs no more
 * than a lookup per member, and suffices when members post often. The second looks up all members in windows of ids,
 * which grow faster the fewer posts were found.
 */
export function listTimeline(db: Queryable, listId: ListId): TimelineSource {
  const list: TimelineSource['list'] = async ({ above, upTo }, order, limit) => {
    const members = await listAllMembers(db, listId);
    if (members.length === 0) return [];
    const reading = new Reading(db, { above, upTo }, order, limit);
    await reading.amongPosts(new Set(members), Math.max(members.length, FIRST_POSTS));
    await reading.ofMembers(listId);
    return reading.found;
  };
  return {
    list,
    nthNewest: async (depth) => (await list(EVERY_KEY, 'newest', depth))[depth - 1],
  };
}

/** The state of one read: the posts found and the range left to read. */
class Reading {
  readonly found: PostId[] = [];
  /** The width of the range read so far. */
  private width = 1n;

  constructor(
    private readonly db: Queryable,
    private rest: KeyRange,
    private readonly order: TimelineOrder,
    private readonly limit: number,
  ) {}

  private isDone(): boolean {
    return this.found.length >= this.limit || this.rest.above >= this.rest.upTo;
  }

  private add(ids: readonly PostId[], window: KeyRange): void {
    this.found.push(...ids.slice(0, this.limit - this.found.length));
    this.rest = beyond(this.rest, this.order, window);
  }

  /** Scans up to `budget` posts of all users. */
  async amongPosts(members: ReadonlySet<UserId>, budget: number): Promise<void> {
    let [left, wanted] = [budget, FIRST_POSTS];
    while (left > 0 && !this.isDone()) {
      const size = Math.min(left, wanted);
      const posts = await listPostsByAnyone(this.db, this.rest, this.order, size);
      const [first, last] = [posts[0], posts.at(-1)];
      if (first && last) this.width += distance(first.id, last.id);
      const hasMore = last !== undefined && posts.length === size;
      const shown = posts.filter((post) => post.isListed && members.has(post.authorId));
      this.add(
        shown.map((post) => post.id),
        hasMore ? upToPost(this.rest, this.order, last.id) : this.rest,
      );
      left -= size;
      wanted *= MORE_POSTS;
    }
  }

  /** Looks up the members in the remaining range. */
  async ofMembers(listId: ListId): Promise<void> {
    const { db, order, limit, found } = this;
    while (!this.isDone()) {
      // Aims at a window with about twice the wanted posts.
      this.width *= BigInt(Math.min(MAX_GROWTH, Math.ceil((2 * limit) / Math.max(found.length, 1))));
      const window = nearest(this.rest, order, this.width);
      this.add(await listMembersPosts(db, listId, window, order, limit - found.length), window);
    }
  }
}

function distance(one: bigint, other: bigint): bigint {
  return one < other ? other - one : one - other;
}

/** Returns the part of a range up to and including a post. */
function upToPost(range: KeyRange, order: TimelineOrder, id: PostId): KeyRange {
  return order === 'newest' ? { ...range, above: id - 1n } : { ...range, upTo: id };
}

/** Returns the part of a range that is read first. */
function nearest({ above, upTo }: KeyRange, order: TimelineOrder, width: bigint): KeyRange {
  if (width >= upTo - above) return { above, upTo };
  return order === 'newest' ? { above: upTo - width, upTo } : { above, upTo: above + width };
}

/** Returns the rest of a range after a part was read. */
function beyond({ above, upTo }: KeyRange, order: TimelineOrder, part: KeyRange): KeyRange {
  return order === 'newest' ? { above, upTo: part.above } : { above: part.upTo, upTo };
}
