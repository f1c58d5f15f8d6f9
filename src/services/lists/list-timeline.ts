import type { ListId, PostId, UserId } from '../../core/ids.js';
import { EVERY_KEY, type KeyRange } from '../../core/page.js';
import type { Queryable } from '../../database/engine.js';
import { listAllMembers } from '../../stores/list-members.js';
import { listAnybodysPosts, listMembersPosts } from '../../stores/list-timelines.js';
import type { TimelineOrder } from '../../stores/timeline-entries.js';
import type { TimelineSource } from '../timelines/walk-timeline.js';

/** So many posts of everybody's are looked at first; then more at a time. */
const FIRST_POSTS = 500;
const MORE_POSTS = 4;

/** A window of ids is at most so many times as wide as the one before it. */
const MAX_GROWTH = 64;

/**
 * What the members of a List posted and reposted. Nothing is kept for it, so that posting costs nothing and members come
 * and go at once; a page is found in milliseconds all the same, as a List has at most a few thousand members. First it
 * looks at the nearest posts of everybody's, as many as there are members: that costs no more than looking up each
 * member, and is enough where members post much. Then it looks up all members, in windows of ids that are the wider the
 * less was found so far, so that none holds much more than is wanted.
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

/** One reading of a List's posts: what was found, and the range that is left to be looked at. */
class Reading {
  readonly found: PostId[] = [];
  /** How wide the range is that was looked at already. */
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

  /** Looks at up to `budget` posts of everybody's. */
  async amongPosts(members: ReadonlySet<UserId>, budget: number): Promise<void> {
    let [left, wanted] = [budget, FIRST_POSTS];
    while (left > 0 && !this.isDone()) {
      const asked = Math.min(left, wanted);
      const posts = await listAnybodysPosts(this.db, this.rest, this.order, asked);
      const [first, last] = [posts[0], posts.at(-1)];
      if (first && last) this.width += distance(first.id, last.id);
      const hasMore = last !== undefined && posts.length === asked;
      const shown = posts.filter((post) => post.isListed && members.has(post.authorId));
      this.add(
        shown.map((post) => post.id),
        hasMore ? upToPost(this.rest, this.order, last.id) : this.rest,
      );
      left -= asked;
      wanted *= MORE_POSTS;
    }
  }

  /** Looks at the members, in what is left. */
  async ofMembers(listId: ListId): Promise<void> {
    const { db, order, limit, found } = this;
    while (!this.isDone()) {
      // So that the next window holds about twice what is wanted.
      this.width *= BigInt(Math.min(MAX_GROWTH, Math.ceil((2 * limit) / Math.max(found.length, 1))));
      const window = nearest(this.rest, order, this.width);
      this.add(await listMembersPosts(db, listId, window, order, limit - found.length), window);
    }
  }
}

function distance(one: bigint, other: bigint): bigint {
  return one < other ? other - one : one - other;
}

/** The part of a range that ends with a post. */
function upToPost(range: KeyRange, order: TimelineOrder, id: PostId): KeyRange {
  return order === 'newest' ? { ...range, above: id - 1n } : { ...range, upTo: id };
}

/** The part of a range that is read first. */
function nearest({ above, upTo }: KeyRange, order: TimelineOrder, width: bigint): KeyRange {
  if (width >= upTo - above) return { above, upTo };
  return order === 'newest' ? { above: upTo - width, upTo } : { above, upTo: above + width };
}

/** What is left of a range when a part was read. */
function beyond({ above, upTo }: KeyRange, order: TimelineOrder, part: KeyRange): KeyRange {
  return order === 'newest' ? { above, upTo: part.above } : { above: part.upTo, upTo };
}
