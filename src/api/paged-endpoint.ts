import { isBackward, type Page, type PageRequest } from '../core/page.js';
import type { Envelope } from '../views/includes.js';
import type { ApiContext } from './context.js';
import { type Call, type CredentialRules, endpoint, type EndpointSpec } from './endpoint.js';
import { withPageMeta } from './paging.js';
import type { ParamMap } from './params/params.js';
import { pageParams, type PageSize } from './params/page.js';
import type { components } from './schemas/components.js';
import { pageSchema } from './schemas/envelopes.js';

/** So many pages of which nothing may be shown are passed over: clients take an empty page for the end of the list. */
const MAX_EMPTY_PAGES = 10;

type PageParamMap = ReturnType<typeof pageParams>;

/** An endpoint that lists: which page of ids, and how these are shown. All else about pages is done here. */
export interface PagedSpec<A extends CredentialRules, P extends ParamMap, T> extends Pick<
  EndpointSpec<A, P, undefined>,
  'operationId' | 'tag' | 'summary' | 'path' | 'access' | 'rateLimits' | 'capped'
> {
  /** Without those of the page. */
  readonly params: P;
  readonly page: PageSize;
  /** The component that `data` is a list of. */
  readonly component: keyof typeof components;
  /** `meta` names the newest and the oldest id (docs/api/requests.md#meta). */
  readonly withIds?: boolean;
  /** No previous_token (docs/api/requests.md#meta). */
  readonly forwardOnly?: boolean;
  /** The answer when the object that the list belongs to is missing or not to be seen; undefined when all is well. */
  refuse?(
    context: ApiContext,
    call: Call<A, P, undefined>,
  ): Promise<Envelope<readonly unknown[]> | undefined>;
  /** Which ids, newest first: before anything is hidden from the viewer. */
  list(context: ApiContext, call: Call<A, P, undefined>, page: PageRequest): Promise<Page<T>>;
  /** Shows what the viewer may see of them. */
  show(
    context: ApiContext,
    call: Call<A, P, undefined>,
    items: readonly T[],
  ): Promise<Envelope<readonly unknown[]>>;
}

/** Declares an endpoint that lists, with `max_results`, `pagination_token` and `meta`. */
export function pagedEndpoint<const A extends CredentialRules, P extends ParamMap, T>(
  spec: PagedSpec<A, P, T>,
): EndpointSpec<A, P & PageParamMap, undefined> {
  const { params, page: size, component, withIds, forwardOnly, refuse, list, show, ...rest } = spec;
  const { operationId } = spec;
  return endpoint({
    ...rest,
    method: 'GET',
    params: { ...params, ...pageParams(size) },
    response: pageSchema(component),
    handler: async (context, call) => {
      const paged = { operationId, principal: call.principal, params: call.params };
      const request = context.paging.open(paged);
      const refusal = await refuse?.(context, call);
      if (refusal) return withPageMeta(refusal, {});
      const { page, shown } = await firstShown(request, async (wanted) => {
        const found = await list(context, call, wanted);
        return { page: found, shown: await show(context, call, found.items) };
      });
      // A first page has none before it, though pages with nothing to show may have been passed over.
      const isForward = forwardOnly === true || request.cursor === undefined;
      const tokens = context.paging.tokens(paged, isForward ? { ...page, previous: undefined } : page);
      return withPageMeta(shown, tokens, { withIds });
    },
  });
}

type Shown = Envelope<readonly unknown[]>;

interface ShownPage<T> {
  readonly page: Page<T>;
  readonly shown: Shown;
}

/** The page asked for, or the next one in its direction that has something to show, with the errors of those before it. */
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
