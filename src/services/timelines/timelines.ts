import type { UserPrincipal } from '../../core/access.js';
import type { Clock } from '../../core/clock.js';
import type { PostId, UserId } from '../../core/ids.js';
import type { Page } from '../../core/page.js';
import type { Engine } from '../../database/engine.js';
import { HOME_DEPTH } from '../../stores/home-timelines.js';
import { postsOfMutedStrangers } from '../../stores/mutes.js';
import { mentions, TIMELINE_TABLES, userPosts } from '../../stores/timeline-entries.js';
import { homeTimeline, READ_NOTED_MS } from './home.js';
import { createNewestPages } from './newest-pages.js';
import { storedTimeline, walkTimeline, type TimelineRequest } from './walk-timeline.js';

/** The depth of each timeline, in posts (docs/api/limits.md#sizes). */
const USER_POSTS_DEPTH = 3_200;
const USER_POSTS_DEPTH_WITHOUT_REPLIES = 800;
const MENTIONS_DEPTH = 800;

/**
 * The skeletons of the timelines (docs/api/timelines.md#bounds): ids, newest first, unfiltered. Views filter by what
 * the viewer may see.
 */
export interface TimelineService {
  /** Lists a user's posts. `withoutReplies` reduces the depth; the caller filters the replies out. */
  userPosts(
    userId: UserId,
    request: TimelineRequest & { readonly withoutReplies: boolean },
  ): Promise<Page<PostId>>;
  /** Lists the mentions of a user. For the user itself, omits authors that the user mutes and does not follow. */
  mentions(
    userId: UserId,
    request: TimelineRequest & { readonly viewerId: UserId | undefined },
  ): Promise<Page<PostId>>;
  home(principal: UserPrincipal, request: TimelineRequest): Promise<Page<PostId>>;
}

export function createTimelineService(deps: {
  readonly engine: Engine;
  readonly clock: Clock;
}): TimelineService {
  const { engine, clock } = deps;
  const newestHome = createNewestPages(engine, TIMELINE_TABLES.home);
  const newestPosts = createNewestPages(engine, TIMELINE_TABLES.posts);
  const newestMentions = createNewestPages(engine, TIMELINE_TABLES.mentions);
  // Cached pages expire with the period, so that the read time is updated.
  const period = (): number => Math.floor(clock() / READ_NOTED_MS);
  return {
    userPosts: (userId, { withoutReplies, ...request }) =>
      newestPosts.read(String(userId), request, () =>
        walkTimeline(storedTimeline(engine, userPosts, userId), {
          ...request,
          depth: withoutReplies ? USER_POSTS_DEPTH_WITHOUT_REPLIES : USER_POSTS_DEPTH,
        }),
      ),
    mentions: async (userId, { viewerId, ...request }) => {
      const page = await newestMentions.read(String(userId), request, () =>
        walkTimeline(storedTimeline(engine, mentions, userId), { ...request, depth: MENTIONS_DEPTH }),
      );
      if (viewerId !== userId) return page;
      const muted = await postsOfMutedStrangers(engine, userId, page.items);
      return { ...page, items: page.items.filter((id) => !muted.has(id)) };
    },
    home: ({ userId }, request) =>
      newestHome.read(`${userId} ${period()}`, request, () =>
        walkTimeline(homeTimeline(deps, userId), { ...request, depth: HOME_DEPTH }),
      ),
  };
}
