import type { UserPrincipal } from '../../core/access.js';
import type { Clock } from '../../core/clock.js';
import type { PostId, UserId } from '../../core/ids.js';
import { pageOf, type Page } from '../../core/page.js';
import { withMembers } from '../../core/with-members.js';
import type { Engine } from '../../database/engine.js';
import { HOME_DEPTH } from '../../stores/home-timelines.js';
import { postsOfMutedStrangers } from '../../stores/mutes.js';
import type { RelationCache } from '../../stores/relation-cache.js';
import { mentions, userPosts } from '../../stores/timeline-entries.js';
import { homeTimeline, READ_NOTED_MS } from './home.js';
import { NewestHomes, NewestPosts, type LoadNewest } from './newest-lists.js';
import {
  storedTimeline,
  walkTimeline,
  type TimelineRequest,
  type TimelineSource,
  type TimelineWalk,
} from './walk-timeline.js';

/** The depth of each timeline, in posts (docs/api/limits.md#sizes). */
const USER_POSTS_DEPTH = 3_200;
const USER_POSTS_DEPTH_WITHOUT_REPLIES = 800;
const MENTIONS_DEPTH = 800;

/**
 * The skeletons of the timelines (docs/api/timelines.md#bounds): ids, newest first, unfiltered. Views filter by what
 * the viewer may see.
 */
export type TimelineService = ReturnType<typeof createTimelineService>;

export function createTimelineService(deps: {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly relations: RelationCache;
}) {
  const { engine, clock, relations } = deps;
  const newestHomes = new NewestHomes(engine, relations);
  const newestPosts = new NewestPosts(engine);
  return {
    /** Lists a user's posts. `withoutReplies` reduces the depth; the caller filters the replies out. */
    userPosts: (
      userId: UserId,
      { withoutReplies, ...request }: TimelineRequest & { readonly withoutReplies: boolean },
    ) => {
      const depth = withoutReplies ? USER_POSTS_DEPTH_WITHOUT_REPLIES : USER_POSTS_DEPTH;
      const source = storedTimeline(engine, userPosts, userId);
      return pageThrough(withMembers(request, { depth }), source, newestPosts.read.bind(newestPosts, userId));
    },
    /** Lists the mentions of a user. For the user itself, omits authors that the user mutes and does not follow. */
    mentions: async (
      userId: UserId,
      { viewerId, ...request }: TimelineRequest & { readonly viewerId: UserId | undefined },
    ) => {
      const source = storedTimeline(engine, mentions, userId);
      const page = await walkTimeline(source, withMembers(request, { depth: MENTIONS_DEPTH }));
      if (viewerId !== userId) return page;
      const muted = await postsOfMutedStrangers(engine, userId, page.items);
      return { ...page, items: page.items.filter((id) => !muted.has(id)) };
    },
    home: ({ userId }: UserPrincipal, request: TimelineRequest) => {
      // Cached lists expire with the period, so that the read time is updated.
      const period = Math.floor(clock() / READ_NOTED_MS);
      const newest = newestHomes.read.bind(newestHomes, { userId, period });
      return pageThrough(withMembers(request, { depth: HOME_DEPTH }), homeTimeline(deps, userId), newest);
    },
  };
}

/** Returns a page: the newest page from the cache, others from the source. */
async function pageThrough(
  walk: TimelineWalk,
  source: TimelineSource,
  newest: (limit: number, load: LoadNewest) => Promise<readonly PostId[]>,
): Promise<Page<PostId>> {
  const { page, bounds } = walk;
  if (page.cursor !== undefined || Object.values(bounds).some((bound) => bound !== undefined)) {
    return walkTimeline(source, walk);
  }
  const load: LoadNewest = async (limit) => {
    const { items, next } = await walkTimeline(source, { ...walk, page: { limit } });
    return { ids: items, isWhole: next === undefined };
  };
  return pageOf(await newest(page.limit + 1, load), page, (id) => id);
}
