import type { Trend } from '../../services/trends/rank-trends.js';
import type { Fields } from '../../views/wire/field.js';
import { notFoundError, wantedOf } from '../../views/present/partial-errors.js';
import { presenter } from '../../views/wire/presenter.js';
import { type AnyEndpoint, endpoint, perQuarterHour, userRead } from '../endpoint.js';
import { PERSONALIZED_TREND_FIELDS, TREND_FIELDS } from '../params/fields.js';
import { choicesParam, inPath, integerParam } from '../params/params.js';
import { plainListSchema } from '../schemas/envelopes.js';
import { personalizedTrendFields, trendFields } from '../trend-fields.js';

/** See docs/api/search.md#trends. */

const DAY_SECONDS = 86_400;
const tag = 'Trends';

/** The Where On Earth id of the whole world; Pipit counts no other places. */
const WORLD = 1;
const MAX_WOEID = 2_147_483_647;

/** The number of trends of one user. */
const PERSONALIZED = 10;

export const trendEndpoints: readonly AnyEndpoint[] = [
  endpoint({
    operationId: 'getTrendsByWoeid',
    tag,
    summary: 'The hashtags of the last 24 hours with the most authors',
    path: '/2/trends/by/woeid/{woeid}',
    access: { contexts: ['app', 'oauth2'], scopes: ['tweet.read', 'users.read'] },
    rateLimits: perQuarterHour({ app: 75, user: 75 }),
    params: {
      woeid: inPath(integerParam(0, MAX_WOEID, undefined, 'The place: 1, the world, is the only one.')),
      max_trends: integerParam<number>(1, 50, 20, 'The most trends to return.'),
      'trend.fields': choicesParam(TREND_FIELDS, 'Fields of the trends; all are returned by default.'),
    },
    response: plainListSchema('Trend'),
    handler: async ({ trends }, { params, rawPath }) => {
      if (params.woeid !== WORLD) {
        return {
          ...NONE,
          errors: [notFoundError(wantedOf('trend', { parameter: 'woeid' }, rawPath['woeid'] ?? ''))],
        };
      }
      return listOf(await trends.ofAll(params.max_trends), trendFields, params['trend.fields']);
    },
  }),
  endpoint({
    operationId: 'getTrendsPersonalizedTrends',
    tag,
    summary: 'The hashtags of the last 24 hours with the most authors that the user follows',
    path: '/2/users/personalized_trends',
    access: userRead(),
    rateLimits: [
      ...perQuarterHour({ user: 10 }),
      { per: 'user', limit: 100, windowSeconds: DAY_SECONDS },
      { per: 'app-users', limit: 200, windowSeconds: DAY_SECONDS },
    ],
    params: {
      'personalized_trend.fields': choicesParam(
        PERSONALIZED_TREND_FIELDS,
        'Fields of the trends; all are returned by default.',
      ),
    },
    response: plainListSchema('PersonalizedTrend'),
    handler: async ({ trends }, { principal, params }) =>
      listOf(
        await trends.ofUser(principal.userId, PERSONALIZED),
        personalizedTrendFields,
        params['personalized_trend.fields'],
      ),
  }),
];

const NONE = { meta: { result_count: 0 } };

function listOf(trends: readonly Trend[], fields: Fields<Trend>, asked: ReadonlySet<string>): object {
  if (trends.length === 0) return NONE;
  return { data: trends.map(presenter(fields, asked)), meta: { result_count: trends.length } };
}
