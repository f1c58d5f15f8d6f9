import type { Principal } from '../../core/access.js';
import { invalidRequest } from '../../core/errors.js';
import type { PostId } from '../../core/ids.js';
import type { Page, PageRequest } from '../../core/page.js';
import type { SearchProduct } from '../../query/operator-set.js';
import { SORT_ORDERS, type SortOrder } from '../../services/search/search.js';
import { publicRead, type AnyEndpoint, onceASecond, perQuarterHour } from '../endpoint.js';
import type { ApiContext } from '../context.js';
import { pagedEndpoint, searchPageParams, type PageSize } from '../paged-endpoint.js';
import { postFieldParams } from '../params/families.js';
import { choiceParam } from '../params/params.js';
import { searchBounds, searchParams, type SearchValues } from '../params/search.js';
import { viewOf } from '../viewer.js';

/** See docs/api/search.md#window. */

const RECENT_PAGE: PageSize = { min: 10, max: 100, default: 10 };
const ARCHIVE_PAGE: PageSize = { min: 10, max: 500, default: 10 };
/** The maximum page size with `context_annotations`. */
const MAX_ANNOTATED = 100;

/** In the order in which messages list them (docs/api/errors.md#validation-messages, "unknown parameter"). */
function paramsOf(size: PageSize) {
  const { max_results, next_token, pagination_token } = searchPageParams(size);
  return {
    ...searchParams,
    max_results,
    next_token,
    pagination_token,
    sort_order: choiceParam(SORT_ORDERS, 'recency', 'The order: newest first, or most relevant first.'),
    ...postFieldParams,
  };
}

interface SearchCall {
  readonly principal: Principal;
  readonly params: SearchValues & {
    readonly sort_order: SortOrder;
    readonly 'tweet.fields': ReadonlySet<string>;
  };
}

const listIn =
  (product: SearchProduct) =>
  ({ search }: ApiContext, { principal, params }: SearchCall, page: PageRequest): Promise<Page<PostId>> => {
    requireAnnotatedPageSize(params['tweet.fields'], page.limit);
    return search({
      product,
      query: params.query,
      principal,
      bounds: searchBounds(params),
      order: params.sort_order,
      page,
    });
  };

/** Enforces the smaller page size of posts with `context_annotations` (docs/api/search.md#window). */
function requireAnnotatedPageSize(postFields: ReadonlySet<string>, size: number): void {
  if (size <= MAX_ANNOTATED || !postFields.has('context_annotations')) return;
  const range = `${ARCHIVE_PAGE.min} and ${MAX_ANNOTATED}`;
  const what = `The \`max_results\` query parameter value [${size}] is not between ${range}`;
  throw invalidRequest('max_results', [String(size)], what);
}

const common = {
  tag: 'Search',
  capped: true,
  component: 'Tweet',
  withIds: true,
  forwardOnly: true,
  show: ({ views }: ApiContext, call: Parameters<typeof viewOf>[0], ids: readonly PostId[]) =>
    views.posts({ ids, ...viewOf(call) }),
} as const;

export const searchEndpoints: readonly AnyEndpoint[] = [
  pagedEndpoint({
    ...common,
    operationId: 'tweetsRecentSearch',
    summary: 'Posts of the last seven days that match a query, newest first',
    path: '/2/tweets/search/recent',
    access: publicRead(),
    rateLimits: perQuarterHour({ app: 450, user: 180 }),
    params: paramsOf(RECENT_PAGE),
    page: RECENT_PAGE,
    list: listIn('recent'),
  }),
  pagedEndpoint({
    ...common,
    operationId: 'tweetsFullarchiveSearch',
    summary: 'All posts that match a query, newest first',
    path: '/2/tweets/search/all',
    access: { contexts: ['app'], track: 'academic_research' },
    rateLimits: [...perQuarterHour({ app: 300 }), onceASecond('app')],
    params: paramsOf(ARCHIVE_PAGE),
    page: ARCHIVE_PAGE,
    list: listIn('all'),
  }),
];
