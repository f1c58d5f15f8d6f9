import type { PostId } from '../../core/ids.js';
import { GRANULARITIES, type AnalyticsResult } from '../../services/posts/analytics.js';
import { notAuthorizedError, notFoundError, wantedOf } from '../../views/present/partial-errors.js';
import { presenter } from '../../views/wire/presenter.js';
import { analyticsFields } from '../analytics-fields.js';
import { endpoint, perQuarterHour, userRead } from '../endpoint.js';
import { mediaAnalyticsFields } from '../media-analytics-fields.js';
import { ANALYTICS_FIELDS, MEDIA_ANALYTICS_FIELDS } from '../params/fields.js';
import {
  choiceParam,
  choicesParam,
  idListParam,
  patternListParam,
  required,
  timestampParam,
} from '../params/params.js';
import { idAsSent } from '../sent-ids.js';
import { listSchema, plainListSchema } from '../schemas/envelopes.js';

const common = { access: userRead(), rateLimits: perQuarterHour({ user: 300 }) } as const;

const period = {
  start_time: required(timestampParam('The start of the first period.')),
  end_time: required(timestampParam('The end of the last period.', '2022-02-08T00:00:00Z')),
};

/** See docs/api/posts.md#analytics. */
export const getPostsAnalytics = endpoint({
  ...common,
  operationId: 'getPostsAnalytics',
  tag: 'Post lookup',
  summary: 'The activity on own posts over time',
  path: '/2/tweets/analytics',
  params: {
    ids: required(idListParam<PostId>('Up to 100 own posts.')),
    ...period,
    granularity: choiceParam(GRANULARITIES, 'total', 'The length of a period; `total` is one period.'),
    'analytics.fields': choicesParam(ANALYTICS_FIELDS, 'Fields to return; all are returned by default.'),
  },
  response: plainListSchema('Analytics'),
  handler: async ({ analytics }, call) => {
    const { ids, start_time: fromMs, end_time: toMs, granularity } = call.params;
    const results = await analytics(call.principal, { ids, fromMs, toMs, granularity });
    const present = presenter(analyticsFields, call.params['analytics.fields']);
    const data = results.flatMap((result) => (result.kind === 'own' ? [present(result.analytics)] : []));
    const errors = results.flatMap((result) => errorOf(result, (id) => idAsSent(call, 'ids', id)));
    return {
      ...(data.length > 0 && { data }),
      ...(errors.length > 0 && { errors }),
      meta: { result_count: data.length },
    };
  },
});

function errorOf(result: AnalyticsResult, asSent: (id: bigint) => string) {
  if (result.kind === 'own') return [];
  const wanted = wantedOf('tweet', { parameter: 'ids', asSent }, result.id);
  return [result.kind === 'missing' ? notFoundError(wanted) : notAuthorizedError(wanted)];
}

const MEDIA_KEY = /^[0-9]+_[0-9]{1,19}$/;

/** See docs/api/media.md#analytics. */
export const getMediaAnalytics = endpoint({
  ...common,
  operationId: 'getMediaAnalytics',
  tag: 'Media',
  summary: 'The views of own media',
  path: '/2/media/analytics',
  params: {
    media_keys: required(patternListParam(MEDIA_KEY, 'Up to 100 own media.', '7_1346889436626259968')),
    ...period,
    granularity: choiceParam(
      GRANULARITIES.filter((each) => each !== 'weekly'),
      'daily',
      'The length of a period.',
    ),
    'media_analytics.fields': choicesParam(
      MEDIA_ANALYTICS_FIELDS,
      'Fields to return beside the default ones.',
    ),
  },
  response: listSchema('MediaAnalytics'),
  handler: async ({ mediaAnalytics }, { principal, params }) => {
    const { media_keys: keys, start_time: fromMs, end_time: toMs, granularity } = params;
    const own = await mediaAnalytics(principal, { keys, fromMs, toMs, granularity });
    const present = presenter(mediaAnalyticsFields, params['media_analytics.fields']);
    const asked = [...new Set(keys)];
    const data = asked.flatMap((key) => own.get(key) ?? []).map((media) => present(media));
    const errors = asked
      .filter((key) => !own.has(key))
      .map((key) => notFoundError(wantedOf('media', { parameter: 'media_keys' }, key)));
    return { ...(data.length > 0 && { data }), ...(errors.length > 0 && { errors }) };
  },
});
