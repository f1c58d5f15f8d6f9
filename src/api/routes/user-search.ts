import type { UserId } from '../../core/ids.js';
import { perQuarterHour, userRead } from '../endpoint.js';
import { pagedEndpoint, searchPageParams } from '../paged-endpoint.js';
import { userFieldParams } from '../params/families.js';
import { patternParam, required } from '../params/params.js';
import { viewOf } from '../viewer.js';

/** See docs/api/people.md#search. */

const page = { min: 1, max: 1000, default: 100 } as const;

const QUERY_PATTERN = /^[A-Za-z0-9_' ]{1,50}$/;

export const searchUsers = pagedEndpoint({
  operationId: 'searchUsers',
  tag: 'User lookup',
  summary: 'Users whose name or username has words that start with those of the query',
  path: '/2/users/search',
  access: userRead(),
  rateLimits: perQuarterHour({ app: 300, user: 900 }),
  params: {
    query: required(patternParam(QUERY_PATTERN, 'Beginnings of words of names or usernames.', 'ada love')),
    next_token: searchPageParams(page).next_token,
    ...userFieldParams,
  },
  page,
  component: 'User',
  forwardOnly: true,
  list: (context, { params }, request) => context.searchUsers(params.query, request),
  show: ({ views }, call, names: readonly UserId[]) => views.users({ names, ...viewOf(call) }),
});
