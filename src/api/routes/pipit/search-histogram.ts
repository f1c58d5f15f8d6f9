import { fullObject, listOf, object, count, ref } from '../../../core/json-schema.js';
import { CALENDAR_UNITS } from '../../../services/search/calendar.js';
import { presentDate } from '../../../views/present/dates.js';
import { endpoint, perQuarterHour, publicRead } from '../../endpoint.js';
import { choiceParam, timestampParam } from '../../params/params.js';
import { searchParams } from '../../params/search.js';

/** See docs/api/pipit.md#histogram. */
export const searchHistogram = endpoint({
  operationId: 'searchHistogram',
  tag: 'Pipit',
  summary: 'The number of public posts that match a query, by hour, day, month or year of the whole archive',
  path: '/_pipit/search/histogram',
  access: { ...publicRead(), track: 'academic_research' },
  rateLimits: perQuarterHour({ app: 300, user: 300 }),
  params: {
    query: searchParams.query,
    unit: choiceParam(CALENDAR_UNITS, 'month', 'The calendar periods to count, in UTC.'),
    start_time: timestampParam('The earliest second of posts to count; by default that of the first post.'),
    end_time: timestampParam('The second before which posts to count were made; by default now.'),
  },
  response: fullObject({
    data: listOf(ref('SearchCount')),
    meta: object({ total_tweet_count: count }, ['total_tweet_count']),
  }),
  handler: async ({ histogram }, { principal, params }) => {
    const { query, unit, start_time: startTimeMs, end_time: endTimeMs } = params;
    const periods = await histogram({ query, principal, unit, startTimeMs, endTimeMs });
    const data = periods.map(({ fromMs, beforeMs, count: tweet_count }) => ({
      start: presentDate(fromMs),
      end: presentDate(beforeMs),
      tweet_count,
    }));
    return { data, meta: { total_tweet_count: data.reduce((sum, period) => sum + period.tweet_count, 0) } };
  },
});
