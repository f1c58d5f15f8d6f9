import { publicRead, userRead, type AnyEndpoint, perQuarterHour } from '../endpoint.js';
import { pagedEndpoint } from '../paged-endpoint.js';
import { postFieldParams } from '../params/families.js';
import { excludeParam, timelineBoundParams, timelineBounds } from '../params/timeline.js';
import { lookupOf, viewOf, viewerOf } from '../viewer.js';
import { userInPath } from './owned-page.js';

/** See docs/api/timelines.md#bounds. */

const timeline = { tag: 'Timelines', component: 'Tweet', withIds: true } as const;

/** User timelines contain nothing older than snowflakes (docs/api/timelines.md#bounds). */
const EARLIEST = {
  startMs: Date.parse('2010-11-06T00:00:00Z'),
  endMs: Date.parse('2010-11-06T00:00:01Z'),
};

export const timelineEndpoints: readonly AnyEndpoint[] = [
  pagedEndpoint({
    ...timeline,
    operationId: 'usersIdTweets',
    summary: 'Posts and reposts of a user, newest first',
    path: '/2/users/{id}/tweets',
    access: publicRead(),
    rateLimits: perQuarterHour({ app: 1500, user: 900 }),
    capped: true,
    params: { ...userInPath, ...excludeParam, ...timelineBoundParams, ...postFieldParams },
    page: { min: 5, max: 100, default: 10 },
    refuse: ({ views }, call) => views.refuseListOfUser({ id: call.params.id, ...lookupOf(call, 'id') }),
    list: ({ timelines }, { params }, page) =>
      timelines.userPosts(params.id, {
        page,
        bounds: timelineBounds(params, EARLIEST),
        withoutReplies: params.exclude.has('replies'),
      }),
    show: ({ views }, call, ids) => views.posts({ ids, exclude: call.params.exclude, ...viewOf(call) }),
  }),
  pagedEndpoint({
    ...timeline,
    operationId: 'usersIdMentions',
    summary: 'Posts that mention a user, newest first',
    path: '/2/users/{id}/mentions',
    access: publicRead(),
    rateLimits: perQuarterHour({ app: 450, user: 180 }),
    capped: true,
    params: { ...userInPath, ...timelineBoundParams, ...postFieldParams },
    page: { min: 5, max: 100, default: 10 },
    refuse: ({ views }, call) => views.refuseListOfUser({ id: call.params.id, ...lookupOf(call, 'id') }),
    list: ({ timelines }, { principal, params }, page) => {
      const viewerId = viewerOf(principal);
      return timelines.mentions(params.id, { page, bounds: timelineBounds(params), viewerId });
    },
    show: ({ views }, call, ids) => views.posts({ ids, ...viewOf(call) }),
  }),
  pagedEndpoint({
    ...timeline,
    operationId: 'usersIdTimeline',
    summary: 'Posts and reposts of the user and followed users, newest first',
    path: '/2/users/{id}/timelines/reverse_chronological',
    access: { ...userRead(), ownId: 'id' },
    rateLimits: perQuarterHour({ user: 180 }),
    params: { ...userInPath, ...excludeParam, ...timelineBoundParams, ...postFieldParams },
    page: { min: 1, max: 100, default: 100 },
    list: ({ timelines }, { principal, params }, page) =>
      timelines.home(principal, { page, bounds: timelineBounds(params) }),
    show: ({ views }, call, ids) =>
      views.posts({ ids, exclude: call.params.exclude, isHome: true, ...viewOf(call) }),
  }),
];
