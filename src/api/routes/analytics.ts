import type { PostId } from '../../core/ids.js';
import { GRANULARITIES, type AnalyticsResult } from '../../services/posts/analytics.js';
import { notAuthorizedError, notFoundError, wantedOf } from '../../views/present/partial-errors.js';
import { presenter } from '../../views/wire/presenter.js';
import { analyticsFields } from '../analytics-fields.js';
import { endpoint, perQuarterHour, userRead } from '../endpoint.js';
import { ANALYTICS_FIELDS } from '../params/fields.js';
import { choiceParam, choicesParam, idListParam, required, timestampParam } from '../params/params.js';
import { idAsSent } from '../sent-ids.js';
import { plainListSchema } from '../schemas/envelopes.js';

/** See docs/api/posts.md#analytics. */
export const getPostsAnalytics = endpoint({
  operationId: 'getPostsAnalytics',
  tag: 'Post lookup',
  summary: 'The activity on own posts over time',
  path: '/2/tweets/analytics',
  access: userRead(),
  rateLimits: perQuarterHour({ user: 300 }),
  params: {
    ids: required(idListParam<PostId>('Up to 100 own posts.')),
    start_time: required(timestampParam('The start of the first period.')),
    end_time: required(timestampParam('The end of the last period.', '2022-02-08T00:00:00Z')),
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
