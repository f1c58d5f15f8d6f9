import type { UserPrincipal } from '../../core/access.js';
import type { Clock } from '../../core/clock.js';
import type { PostId, UserId } from '../../core/ids.js';
import type { Page, PageRequest } from '../../core/page.js';
import type { Engine } from '../../storage/engine.js';
import { HOME_DEPTH } from '../../storage/home-timelines.js';
import { mentions, userPosts } from '../../storage/timeline-entries.js';
import { homeTimeline } from './home.js';
import { storedTimeline, walkTimeline, type TimelineBounds } from './walk-timeline.js';

/** How far back each timeline reaches, in posts (specification section 8). */
const USER_POSTS_DEPTH = 3_200;
const USER_POSTS_DEPTH_WITHOUT_REPLIES = 800;
const MENTIONS_DEPTH = 800;

export interface TimelineRequest {
  readonly page: PageRequest;
  readonly bounds: TimelineBounds;
}

/**
 * The skeletons of the timelines (specification 4.8): which ids, newest first, before anything is filtered out. Views
 * leave out what the viewer may not or does not want to see.
 */
export interface TimelineService {
  /** `withoutReplies`: the caller leaves replies out, which makes the timeline reach less far. */
  userPosts(
    userId: UserId,
    request: TimelineRequest & { readonly withoutReplies: boolean },
  ): Promise<Page<PostId>>;
  mentions(userId: UserId, request: TimelineRequest): Promise<Page<PostId>>;
  home(principal: UserPrincipal, request: TimelineRequest): Promise<Page<PostId>>;
}

export function createTimelineService(deps: {
  readonly engine: Engine;
  readonly clock: Clock;
}): TimelineService {
  const { engine } = deps;
  return {
    userPosts: (userId, { withoutReplies, ...request }) =>
      walkTimeline(storedTimeline(engine, userPosts, userId), {
        ...request,
        depth: withoutReplies ? USER_POSTS_DEPTH_WITHOUT_REPLIES : USER_POSTS_DEPTH,
      }),
    mentions: (userId, request) =>
      walkTimeline(storedTimeline(engine, mentions, userId), { ...request, depth: MENTIONS_DEPTH }),
    home: async ({ userId }, request) =>
      walkTimeline(await homeTimeline(deps, userId), { ...request, depth: HOME_DEPTH }),
  };
}
