import type { UserPrincipal } from '../../core/access.js';
import type { Clock } from '../../core/clock.js';
import type { PostId, UserId } from '../../core/ids.js';
import type { Page } from '../../core/page.js';
import type { Engine } from '../../database/engine.js';
import { HOME_DEPTH } from '../../stores/home-timelines.js';
import { postsOfMutedStrangers } from '../../stores/mutes.js';
import { mentions, userPosts } from '../../stores/timeline-entries.js';
import { homeTimeline, HOME_TABLES, READ_NOTED_MS } from './home.js';
import { createNewestPages } from './newest-pages.js';
import { storedTimeline, walkTimeline, type TimelineRequest } from './walk-timeline.js';

/** How far back each timeline reaches, in posts (docs/api/limits.md#sizes). */
const USER_POSTS_DEPTH = 3_200;
const USER_POSTS_DEPTH_WITHOUT_REPLIES = 800;
const MENTIONS_DEPTH = 800;

/**
 * The skeletons of the timelines (docs/api/timelines.md#bounds): which ids, newest first, before anything is filtered out. Views
 * leave out what the viewer may not or does not want to see.
 */
export interface TimelineService {
  /** `withoutReplies`: the caller leaves replies out, which makes the timeline reach less far. */
  userPosts(
    userId: UserId,
    request: TimelineRequest & { readonly withoutReplies: boolean },
  ): Promise<Page<PostId>>;
  /** Those whose posts the user mutes without following them are left out of what the user alone sees. */
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
  const newestHome = createNewestPages(engine, HOME_TABLES);
  const newestPosts = createNewestPages(engine, ['user_posts']);
  const newestMentions = createNewestPages(engine, ['mentions']);
  // Once in a while it is noted that a timeline is read: a page is kept no longer.
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
