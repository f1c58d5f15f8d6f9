import type { PostId } from '../../core/ids.js';
import { listOf, ref } from '../../core/json-schema.js';
import type { Excludable } from '../../views/page-rules.js';
import { endpoint, perQuarterHour, type AnyEndpoint } from '../endpoint.js';
import type { ParamValues } from '../params/params.js';
import { viewerOf } from '../viewer.js';
import { answerV1, ENDPOINT_V1, formOf, postFormParams, READ_V1, USER_READ_V1 } from './endpoint-v1.js';
import { findNamedUser, userParams } from './named-user.js';
import { flagParam, idV1Param, sizeParam } from './params.js';
import { requireVisibleActivity } from './refusals.js';

/** See docs/api/v1.md#timelines. */

const timeline = {
  ...ENDPOINT_V1,
  tag: 'Timelines, version 1.1',
  response: listOf(ref('StatusV1')),
} as const;

export const boundParams = {
  since_id: idV1Param<PostId>('Only posts with a greater id.'),
  max_id: idV1Param<PostId>('Only posts with this id or a smaller one.'),
};

const timelineParams = {
  count: sizeParam('The most posts to read, before some are left out.', 200, 20),
  ...boundParams,
  exclude_replies: flagParam('Whether replies are left out.'),
  include_rts: flagParam('Whether reposts are shown.', true),
  ...postFormParams,
};

type Values = ParamValues<typeof timelineParams>;

/** Returns the bounds of a page; `max_id` is inclusive. */
export function boundsOf({ since_id, max_id }: ParamValues<typeof boundParams>) {
  return { sinceId: since_id, untilId: max_id === undefined ? undefined : ((max_id + 1n) as PostId) };
}

function excludeOf({ exclude_replies, include_rts }: Values): ReadonlySet<Excludable> {
  return new Set<Excludable>([
    ...(exclude_replies ? (['replies'] as const) : []),
    ...(include_rts ? [] : (['retweets'] as const)),
  ]);
}

const requestOf = (params: Values) => ({ page: { limit: params.count }, bounds: boundsOf(params) });
const shownAs = (params: Values) => ({ exclude: excludeOf(params), form: formOf(params) });

export const timelineV1Endpoints: readonly AnyEndpoint[] = [
  endpoint({
    ...timeline,
    operationId: 'userTimelineV1',
    summary: 'Posts and reposts of a user, newest first',
    path: '/1.1/statuses/user_timeline.json',
    access: READ_V1,
    rateLimits: perQuarterHour({ app: 1500, user: 900 }),
    params: { ...userParams, ...timelineParams },
    handler: async (context, { principal, params }) => {
      const viewerId = viewerOf(principal);
      const userId = requireVisibleActivity(await findNamedUser(context, params, viewerId));
      const request = { ...requestOf(params), withoutReplies: params.exclude_replies };
      const { items: ids } = await context.timelines.userPosts(userId, request);
      return answerV1(await context.views.statuses({ ids, viewerId, ...shownAs(params) }));
    },
  }),
  endpoint({
    ...timeline,
    operationId: 'homeTimelineV1',
    summary: 'Posts and reposts of the user and followed users, newest first',
    path: '/1.1/statuses/home_timeline.json',
    access: USER_READ_V1,
    rateLimits: perQuarterHour({ user: 15 }),
    params: timelineParams,
    handler: async ({ timelines, views }, { principal, params }) => {
      const { items: ids } = await timelines.home(principal, requestOf(params));
      const viewerId = principal.userId;
      return answerV1(await views.statuses({ ids, viewerId, isHome: true, ...shownAs(params) }));
    },
  }),
];
