import { integerParam, type ParamSpec, tokenParam } from './params.js';

/** The bounds and the default of `max_results`. */
export interface PageSize {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

/** The parameters of a page: its size, and its token, which has two names in search. */
interface PageParams {
  readonly max_results: ParamSpec<number>;
  readonly pagination_token: ParamSpec<string | undefined>;
  readonly next_token?: ParamSpec<string | undefined>;
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
  } satisfies PageParams;
}

/** The same for endpoints that take `next_token` as well (docs/api/search.md#window). */
export function searchPageParams(size: PageSize) {
  const next_token = tokenParam('The same as `pagination_token`; only one of both may be sent.');
  return { ...pageParams(size), next_token } satisfies PageParams;
}
