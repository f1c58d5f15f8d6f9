import { PipitError } from '../../core/errors.js';
import { listOf, object, ref, schemaOf } from '../../core/json-schema.js';
import { firstIdAt } from '../../core/snowflake.js';
import { parseInstant } from '../../core/timestamp.js';
import type { SearchBounds } from '../../services/search/window.js';
import type { StatusV1 } from '../../views/v1/post.js';
import { endpoint, perQuarterHour } from '../endpoint.js';
import type { ParamValues } from '../params/params.js';
import { viewerOf } from '../viewer.js';
import { answerV1, ENDPOINT_V1, formOf, postFormParams, READ_V1 } from './endpoint-v1.js';
import { sizeParam, textV1Param } from './params.js';
import { missingQuery, refusedV1 } from './refusals.js';
import { translateSearch } from './search-query.js';
import { boundParams, boundsOf } from './timelines.js';

/** See docs/api/v1.md#search. */

const params = {
  q: textV1Param('What to look for, in the language of v1.1 or of v2.', 'cat filter:media'),
  count: sizeParam('The most posts to read, before some are left out.', 100, 15),
  result_type: textV1Param('`popular` for the most relevant first; otherwise newest first.'),
  lang: textV1Param('The language of the posts.'),
  geocode: textV1Param('`latitude,longitude,radius`, with a radius such as `5km` or `3mi`.'),
  until: textV1Param('Only posts before this day, as YYYY-MM-DD.'),
  ...boundParams,
  ...postFormParams,
};
type Values = ParamValues<typeof params>;

const response = object({
  statuses: listOf(ref('StatusV1')),
  search_metadata: schemaOf('object'),
});

/** In UTF-16 units: beyond what the service accepts, before the query is translated. */
const MAX_QUERY_LENGTH = 4_096;

/** The reach of the search, within the bounds that the service accepts. */
const REACH_MS = 7 * 86_400_000 - 60_000;
const FRESHEST_MS = 60_000;

/** Returns the bounds of a search; undefined if nothing can be within them. Bounds beyond the reach have no effect. */
function reachableBounds(
  values: Values,
  dates: { readonly since?: string; readonly until?: string },
  nowMs: number,
): SearchBounds | undefined {
  const [fromMs, toMs] = [nowMs - REACH_MS, nowMs - FRESHEST_MS];
  const startTimeMs = startOf(dates.since);
  const endTimeMs = startOf(values.until ?? dates.until);
  if ((startTimeMs ?? 0) > toMs || (endTimeMs ?? toMs) <= Math.max(fromMs, startTimeMs ?? 0))
    return undefined;
  const { sinceId, untilId } = boundsOf(values);
  return {
    startTimeMs: startTimeMs !== undefined && startTimeMs > fromMs ? startTimeMs : undefined,
    endTimeMs: endTimeMs !== undefined && endTimeMs < toMs ? endTimeMs : undefined,
    sinceId: sinceId !== undefined && sinceId > firstIdAt(fromMs) ? sinceId : undefined,
    untilId,
  };
}

function startOf(date: string | undefined): number | undefined {
  return date === undefined ? undefined : parseInstant(`${date}T00:00:00Z`);
}

/** Returns what is said about the shown posts of a page: how to continue to older posts, and to refresh. */
function metadataOf(values: Values, statuses: readonly StatusV1[]) {
  const [newest, oldest] = [statuses[0]?.id ?? 0n, statuses.at(-1)?.id ?? 0n];
  const linked = { q: values.q ?? '', count: String(values.count) };
  const link = (more: Readonly<Record<string, string>>) =>
    `?${String(new URLSearchParams({ ...more, ...linked }))}`;
  return {
    completed_in: 0,
    max_id: newest,
    max_id_str: String(newest),
    next_results: oldest === 0n ? undefined : link({ max_id: String(oldest - 1n) }),
    query: encodeURIComponent(values.q ?? ''),
    refresh_url: link({ since_id: String(newest) }),
    count: values.count,
    since_id: values.since_id ?? 0,
    since_id_str: String(values.since_id ?? 0),
  };
}

export const searchV1 = endpoint({
  ...ENDPOINT_V1,
  operationId: 'searchV1',
  tag: 'Search, version 1.1',
  summary: 'Posts of the last seven days that match a query',
  path: '/1.1/search/tweets.json',
  access: READ_V1,
  rateLimits: perQuarterHour({ app: 450, user: 180 }),
  params,
  response,
  handler: async ({ search, streams, views }, { principal, params: values }) => {
    if (values.q === undefined) throw missingQuery();
    if (values.q.length > MAX_QUERY_LENGTH) throw badQuery('The query is too long.');
    const { query, ...dates } = translateSearch(values.q, values);
    const bounds = reachableBounds(values, dates, streams.clock());
    const order = values.result_type === 'popular' ? 'relevancy' : 'recency';
    const page = { limit: values.count };
    const { items: ids } = bounds
      ? await withQueryRefusals(() => search({ product: 'recent', query, principal, bounds, order, page }))
      : { items: [] };
    const statuses = await views.statuses({ ids, viewerId: viewerOf(principal), form: formOf(values) });
    return answerV1({ statuses, search_metadata: metadataOf(values, statuses) });
  },
});

/** Runs a search and gives the refusal of a query the number of v1.1. */
async function withQueryRefusals<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof PipitError) || error.failure.code !== 'invalid-request') throw error;
    throw badQuery(error.message);
  }
}

function badQuery(why: string): PipitError {
  return refusedV1(195, 400, `Missing or invalid url parameter. ${why}`);
}
