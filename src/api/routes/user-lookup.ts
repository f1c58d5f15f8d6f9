import type { UserId } from '../../core/ids.js';
import { publicRead, userRead, type AnyEndpoint, type Call, endpoint, perQuarterHour } from '../endpoint.js';
import type { ApiContext } from '../context.js';
import { userFieldParams } from '../params/families.js';
import { idListParam, inPath, usernameListParam, usernameParam } from '../params/params.js';
import { listSchema, singleSchema } from '../schemas/envelopes.js';
import { lookupOf, viewOf } from '../viewer.js';
import { userInPath } from './owned-page.js';

/** See docs/api/limits.md#sizes. */

const lookup = {
  tag: 'User lookup',
  access: publicRead(),
  rateLimits: perQuarterHour({ app: 300, user: 900 }),
} as const;

/** The common part of both collection forms: each accepts either parameter, and exactly one of them. */
const collection = {
  ...lookup,
  params: {
    ids: idListParam<UserId>('The users by id; exactly one of `ids` or `usernames`.'),
    usernames: usernameListParam('The users by username; exactly one of `ids` or `usernames`.'),
    ...userFieldParams,
  },
  response: listSchema('User'),
} as const;

function viewCollection(
  { views }: ApiContext,
  call: Call<typeof lookup.access, typeof collection.params, undefined>,
) {
  const { ids, usernames = [] } = call.params;
  return ids
    ? views.users({ names: ids, ...lookupOf(call, 'ids') })
    : views.users({ names: usernames, ...lookupOf(call, 'usernames') });
}

export const userLookupEndpoints: readonly AnyEndpoint[] = [
  endpoint({
    ...lookup,
    operationId: 'findUserById',
    summary: 'One user by id',
    path: '/2/users/{id}',
    params: { ...userInPath, ...userFieldParams },
    response: singleSchema('User'),
    handler: ({ views }, call) => views.user({ names: [call.params.id], ...lookupOf(call, 'id') }),
  }),
  endpoint({
    ...collection,
    operationId: 'findUsersById',
    summary: 'Up to 100 users by their ids',
    path: '/2/users',
    exactlyOneOf: ['ids', 'usernames'],
    handler: viewCollection,
  }),
  endpoint({
    ...lookup,
    operationId: 'findUserByUsername',
    summary: 'One user by username',
    path: '/2/users/by/username/{username}',
    params: { username: inPath(usernameParam('The username, without the @.')), ...userFieldParams },
    response: singleSchema('User'),
    handler: ({ views }, call) =>
      views.user({ names: [call.params.username], ...lookupOf(call, 'username') }),
  }),
  endpoint({
    ...collection,
    operationId: 'findUsersByUsername',
    summary: 'Up to 100 users by their usernames',
    path: '/2/users/by',
    exactlyOneOf: ['usernames', 'ids'],
    handler: viewCollection,
  }),
  endpoint({
    ...lookup,
    operationId: 'findMyUser',
    summary: 'The authenticated user',
    path: '/2/users/me',
    access: userRead(),
    rateLimits: perQuarterHour({ user: 75 }),
    params: userFieldParams,
    response: singleSchema('User'),
    handler: ({ views }, call) =>
      views.user({ names: [call.principal.userId], parameter: 'id', ...viewOf(call) }),
  }),
];
