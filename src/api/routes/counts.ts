import type { Principal } from '../../core/access.js';
import type { ValueOf } from '../../core/json-schema.js';
import type { SearchProduct } from '../../query/operator-set.js';
import { GRANULARITIES, type Granularity } from '../../services/search/count-periods.js';
import type { CountPage } from '../../services/search/count-posts.js';
import { presentDate } from '../../views/present/dates.js';
import type { ApiContext } from '../context.js';
import { type AnyEndpoint, endpoint, perQuarterHour } from '../endpoint.js';
import { choiceParam, choicesParam, tokenParam } from '../params/params.js';
import { searchBounds, searchParams, type SearchValues } from '../params/search.js';
import { countsPage, searchCount } from '../schemas/envelopes.js';

/** See docs/api/search.md#counts. */

const contexts = ['app'] as const;

const COUNT_FIELDS = Object.keys(searchCount['properties'] as object).sort();

const params = {
  ...searchParams,
  next_token: tokenParam(),
  pagination_token: tokenParam('The same as `next_token`; only one of the two may be sent.'),
  granularity: choiceParam(GRANULARITIES, 'hour', 'The length of the counted periods.'),
  'search_count.fields': choicesParam(COUNT_FIELDS, 'Fields of counts; all are always returned.'),
};

interface CountCall {
  readonly principal: Principal;
  readonly params: SearchValues & {
    readonly granularity: Granularity;
    readonly next_token: string | undefined;
    readonly pagination_token: string | undefined;
  };
}

const countIn =
  (product: SearchProduct, operationId: string) =>
  async ({ counts, paging }: ApiContext, { principal, params: values }: CountCall): Promise<unknown> => {
    const paged = { operationId, principal, params: { ...values } };
    const page = await counts({
      product,
      query: values.query,
      principal,
      bounds: searchBounds(values),
      granularity: values.granularity,
      cursor: paging.open(paged).cursor,
    });
    return bodyOf(page, paging.tokens(paged, { next: page.next }));
  };

function bodyOf({ periods }: CountPage, tokens: { readonly next_token?: string }): unknown {
  // Each date ends one period and starts the next one; formatting all of up to 44,640 twice would be slow.
  let start = presentDate(periods[0]?.fromMs ?? 0);
  const data = periods.map(({ beforeMs, count }): ValueOf<typeof searchCount> => {
    const period = { end: presentDate(beforeMs), start, tweet_count: count };
    start = period.end;
    return period;
  });
  const total = periods.reduce((sum, { count }) => sum + count, 0);
  return { data, meta: { total_tweet_count: total, ...tokens } };
}

const common = { tag: 'Counts', params, response: countsPage } as const;

export const countEndpoints: readonly AnyEndpoint[] = [
  endpoint({
    ...common,
    operationId: 'tweetCountsRecentSearch',
    summary: 'The number of posts of the last seven days that match a query, per period',
    path: '/2/tweets/counts/recent',
    access: { contexts },
    rateLimits: [{ per: 'app', limit: 180, researchLimit: 300 }],
    handler: countIn('recent', 'tweetCountsRecentSearch'),
  }),
  endpoint({
    ...common,
    operationId: 'tweetCountsFullArchiveSearch',
    summary: 'The number of all posts that match a query, per period',
    path: '/2/tweets/counts/all',
    access: { contexts, track: 'academic_research' },
    rateLimits: perQuarterHour({ app: 300 }),
    handler: countIn('all', 'tweetCountsFullArchiveSearch'),
  }),
];
