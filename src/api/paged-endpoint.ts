import { isBackward, type Page, type PageRequest } from '../core/page.js';
import type { JsonSchema } from '../core/json-schema.js';
import type { Envelope } from '../views/includes.js';
import type { ApiContext } from './context.js';
import { type Call, type CredentialRules, type Endpoint, endpoint, type EndpointSpec } from './endpoint.js';
import { withPageMeta } from './paging.js';
import { type ParamMap, integerParam, tokenParam } from './params/params.js';
import type { components } from './schemas/components.js';
import { pageSchema } from './schemas/envelopes.js';

/**
 * The maximum number of consecutive pages without visible entries to skip: clients take an empty page for the end of
 * the list.
 */
const MAX_EMPTY_PAGES = 10;

type PageParamMap = ReturnType<typeof pageParams>;

/** A list endpoint: how to page its ids and how to show them. The paging itself is common to all. */
export interface PagedSpec<A extends CredentialRules, P extends ParamMap, T> extends Pick<
  EndpointSpec<A, P, undefined>,
  'operationId' | 'tag' | 'summary' | 'path' | 'access' | 'rateLimits' | 'capped'
> {
  /** Without the paging parameters. */
  readonly params: P;
  readonly page: PageSize;
  /** The component of the entries of `data`. */
  readonly component: keyof typeof components;
  /** The schema of the answer; default: a page of the component. */
  readonly response?: JsonSchema;
  /** If true, `meta` contains the newest and the oldest id (docs/api/requests.md#meta). */
  readonly withIds?: boolean;
  /** If true, there is no previous_token (docs/api/requests.md#meta). */
  readonly forwardOnly?: boolean;
  /** Returns the answer if the object that owns the list is missing or not visible; otherwise undefined. */
  refuse?(
    context: ApiContext,
    call: Call<A, P, undefined>,
  ): Promise<Envelope<readonly unknown[]> | undefined>;
  /** Returns a page of ids, newest first, without checking visibility. */
  list(context: ApiContext, call: Call<A, P, undefined>, page: PageRequest): Promise<Page<T>>;
  /** Returns the visible objects of these ids, and what `meta` has beside the counts and tokens of pages. */
  show(
    context: ApiContext,
    call: Call<A, P, undefined>,
    items: readonly T[],
  ): Promise<Envelope<readonly unknown[]>>;
}

/** Declares a list endpoint with `max_results`, `pagination_token` and `meta`. */
export function pagedEndpoint<const A extends CredentialRules, P extends ParamMap, T>(
  spec: PagedSpec<A, P, T>,
): Endpoint<A, P & PageParamMap, undefined> {
  const { params, page: size, component, withIds, forwardOnly, refuse, list, show, ...rest } = spec;
  const { operationId } = spec;
  return endpoint({
    ...rest,
    params: { ...params, ...pageParams(size) },
    response: spec.response ?? pageSchema(component),
    handler: async (context, call) => {
      const paged = { operationId, principal: call.principal, params: call.params };
      const request = context.paging.open(paged);
      const refusal = await refuse?.(context, call);
      if (refusal) return withPageMeta(refusal, {});
      const { page, shown } = await firstShown(request, async (wanted) => {
        const found = await list(context, call, wanted);
        return { page: found, shown: await show(context, call, found.items) };
      });
      // A first page has no previous page, even if pages without visible entries were skipped.
      const isForward = forwardOnly === true || request.cursor === undefined;
      const tokens = context.paging.tokens(paged, isForward ? { next: page.next } : page);
      return withPageMeta(shown, tokens, { withIds });
    },
  });
}

type Shown = Envelope<readonly unknown[]>;

interface ShownPage<T> {
  readonly page: Page<T>;
  readonly shown: Shown;
}

/**
 * Returns the requested page, or the next one in its direction with visible entries, with the errors of skipped
 * pages.
 */
async function firstShown<T>(
  request: PageRequest,
  look: (request: PageRequest) => Promise<ShownPage<T>>,
): Promise<ShownPage<T>> {
  let seen = await look(request);
  for (let passed = 0; passed < MAX_EMPTY_PAGES && (seen.shown.data ?? []).length === 0; passed += 1) {
    const cursor = isBackward(request) ? seen.page.previous : seen.page.next;
    if (!cursor) break;
    const { page, shown } = await look({ ...request, cursor });
    seen = { page, shown: withErrorsOf(seen.shown, shown) };
  }
  return seen;
}

function withErrorsOf({ errors = [] }: Shown, shown: Shown): Shown {
  return errors.length === 0 ? shown : { ...shown, errors: [...errors, ...(shown.errors ?? [])] };
}

/** The bounds and the default of `max_results`. */
export interface PageSize {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

/** `pg(min..max=default)` of docs/api/requests.md#parameters. */
export function pageParams(size: PageSize) {
  return {
    max_results: integerParam<number>(
      size.min,
      size.max,
      size.default,
      'The most results to return in one page.',
    ),
    pagination_token: tokenParam(),
  };
}

/** The same for endpoints that take `next_token` as well (docs/api/search.md#window). */
export function searchPageParams(size: PageSize) {
  const next_token = tokenParam('The same as `pagination_token`; only one of both may be sent.');
  return { ...pageParams(size), next_token };
}
