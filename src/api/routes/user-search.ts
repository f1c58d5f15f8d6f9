import type { UserId } from '../../core/ids.js';
import { type CredentialRules, perQuarterHour, publicRead, userRead } from '../endpoint.js';
import { pagedEndpoint, type PagedSpec, searchPageParams } from '../paged-endpoint.js';
import { userFieldParams } from '../params/families.js';
import { patternParam, required } from '../params/params.js';
import { viewOf } from '../viewer.js';

/** See docs/api/people.md#search. */

const page = { min: 1, max: 1000, default: 100 } as const;

const QUERY_PATTERN = /^[A-Za-z0-9_' ]{1,50}$/;

const params = {
  query: required(patternParam(QUERY_PATTERN, 'Beginnings of words of names or usernames.', 'ada love')),
  next_token: searchPageParams(page).next_token,
  ...userFieldParams,
};

function userSearch<const A extends CredentialRules>(
  spec: Pick<PagedSpec<A, typeof params, UserId>, 'operationId' | 'tag' | 'path' | 'access'>,
) {
  return pagedEndpoint<A, typeof params, UserId>({
    ...spec,
    summary: 'Users whose name or username has words that start with those of the query',
    rateLimits: perQuarterHour({ app: 300, user: 900 }),
    params,
    page,
    component: 'User',
    forwardOnly: true,
    list: (context, call, request) => context.searchUsers(call.params.query, request),
    show: ({ views }, call, names) => views.users({ names, ...viewOf(call) }),
  });
}

export const searchUsers = userSearch({
  operationId: 'searchUsers',
  tag: 'User lookup',
  path: '/2/users/search',
  access: userRead(),
});

/** The same for apps too, as visitors search for people (docs/api/pipit.md#search-of-people). */
export const findPeople = userSearch({
  operationId: 'findPeople',
  tag: 'Pipit',
  path: '/_pipit/users/search',
  access: publicRead(),
});
