import { invalidRequest } from '../../core/errors.js';
import type { PostId } from '../../core/ids.js';
import type { TimelineBounds } from '../../services/timelines/walk-timeline.js';
import { EXCLUDABLE } from '../../views/page-rules.js';
import { publicRead, userRead, type AnyEndpoint, perQuarterHour } from '../endpoint.js';
import { pagedEndpoint } from '../paged-endpoint.js';
import { postFieldParams } from '../params/families.js';
import { choicesParam, idParam, type ParamValues, timestampParam } from '../params/params.js';
import { lookupOf, viewOf, viewerOf } from '../viewer.js';
import { userInPath } from './owned-page.js';

/** See docs/api/timelines.md#bounds. */

const timeline = { tag: 'Timelines', component: 'Tweet', withIds: true } as const;

/** The parameters that bound a timeline (docs/api/timelines.md#bounds). */
const timelineBoundParams = {
  start_time: timestampParam('The earliest second of posts to return.'),
  end_time: timestampParam('The latest second of posts to return.'),
  since_id: idParam<PostId>('Only posts with a greater id.'),
  until_id: idParam<PostId>('Only posts with a smaller id.'),
};

const excludeParam = { exclude: choicesParam(EXCLUDABLE, 'Kinds of posts to leave out.') };

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

/** The earliest times that an endpoint accepts, in milliseconds. */
interface EarliestTimes {
  readonly startMs: number;
  readonly endMs: number;
}

const LAST_OF_SECOND_MS = 999;

/**
 * Returns the bounds of a request; both times are inclusive, in whole seconds (docs/api/timelines.md#bounds). Throws
 * PipitError `invalid-request` for times before `earliest`, and for an end before the start.
 */
function timelineBounds(
  values: ParamValues<typeof timelineBoundParams>,
  earliest?: EarliestTimes,
): TimelineBounds {
  const { start_time: fromMs, end_time: endMs } = values;
  if (earliest) {
    requireFrom('start_time', fromMs, earliest.startMs);
    requireFrom('end_time', endMs, earliest.endMs);
  }
  if (fromMs !== undefined && endMs !== undefined && endMs < fromMs) {
    throw invalidTime('end_time', endMs, "must be after 'start_time'");
  }
  return {
    sinceId: values.since_id,
    untilId: values.until_id,
    fromMs,
    toMs: endMs === undefined ? undefined : endMs + LAST_OF_SECOND_MS,
  };
}

function requireFrom(name: string, timeMs: number | undefined, earliestMs: number): void {
  if (timeMs !== undefined && timeMs < earliestMs) {
    throw invalidTime(name, timeMs, `must be on or after ${toSeconds(earliestMs)}`);
  }
}

/** Worded as docs/api/errors.md#validation-messages. */
function invalidTime(name: string, timeMs: number, what: string): Error {
  const value = toSeconds(timeMs);
  return invalidRequest(name, [value], `Invalid '${name}':'${value}'. '${name}' ${what}`);
}

function toSeconds(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 19)}Z`;
}
