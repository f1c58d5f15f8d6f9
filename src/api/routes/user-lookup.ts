import type { UserId } from '../../core/ids.js';
import { endpoint } from '../endpoint.js';
import { userFieldParams } from '../params/families.js';
import { idListParam, usernameListParam } from '../params/lists.js';
import { inPath } from '../params/param.js';
import { selectionOf } from '../params/selection.js';
import { idParam, usernameParam } from '../params/values.js';
import { listSchema, singleSchema } from '../schemas/envelopes.js';
import { viewerOf } from '../viewer.js';

/** Specification 4.12. */

const access = {
  contexts: ['app', 'oauth1', 'oauth2'],
  scopes: ['tweet.read', 'users.read'],
} as const;

const rateLimits = [
  { per: 'app', limit: 300 },
  { per: 'user', limit: 900 },
] as const;

const tag = 'User lookup';

/** Both collection forms take either name, and exactly one of them. */
const collectionParams = {
  ids: idListParam<UserId>('The users by id; exactly one of `ids` or `usernames`.'),
  usernames: usernameListParam('The users by username; exactly one of `ids` or `usernames`.'),
  ...userFieldParams,
};

/** The shell has made sure that exactly one of the pair is there (specification 4.12). */
function namesOf(params: {
  readonly ids: readonly UserId[] | undefined;
  readonly usernames: readonly string[] | undefined;
}): { names: readonly (UserId | string)[]; parameter: string } {
  return params.ids
    ? { names: params.ids, parameter: 'ids' }
    : { names: params.usernames ?? [], parameter: 'usernames' };
}

export const getUser = endpoint({
  operationId: 'findUserById',
  tag,
  summary: 'One user by id',
  method: 'GET',
  path: '/2/users/{id}',
  access,
  rateLimits,
  params: { id: inPath(idParam<UserId>('The user.')), ...userFieldParams },
  response: singleSchema('User'),
  handler: ({ views }, { principal, params }) =>
    views.user({
      name: params.id,
      viewerId: viewerOf(principal),
      selection: selectionOf(params),
      parameter: 'id',
    }),
});

export const getUsers = endpoint({
  operationId: 'findUsersById',
  tag,
  summary: 'Up to 100 users by their ids',
  method: 'GET',
  path: '/2/users',
  access,
  rateLimits,
  params: collectionParams,
  exactlyOneOf: ['ids', 'usernames'],
  response: listSchema('User'),
  handler: ({ views }, { principal, params }) =>
    views.users({
      ...namesOf(params),
      viewerId: viewerOf(principal),
      selection: selectionOf(params),
    }),
});

export const getUserByUsername = endpoint({
  operationId: 'findUserByUsername',
  tag,
  summary: 'One user by username',
  method: 'GET',
  path: '/2/users/by/username/{username}',
  access,
  rateLimits,
  params: { username: inPath(usernameParam('The username, without the @.')), ...userFieldParams },
  response: singleSchema('User'),
  handler: ({ views }, { principal, params }) =>
    views.user({
      name: params.username,
      viewerId: viewerOf(principal),
      selection: selectionOf(params),
      parameter: 'username',
    }),
});

export const getUsersByUsernames = endpoint({
  operationId: 'findUsersByUsername',
  tag,
  summary: 'Up to 100 users by their usernames',
  method: 'GET',
  path: '/2/users/by',
  access,
  rateLimits,
  params: collectionParams,
  exactlyOneOf: ['usernames', 'ids'],
  response: listSchema('User'),
  handler: ({ views }, { principal, params }) =>
    views.users({
      ...namesOf(params),
      viewerId: viewerOf(principal),
      selection: selectionOf(params),
    }),
});

export const getMe = endpoint({
  operationId: 'findMyUser',
  tag,
  summary: 'The authenticated user',
  method: 'GET',
  path: '/2/users/me',
  access: { contexts: ['oauth1', 'oauth2'], scopes: ['tweet.read', 'users.read'] },
  rateLimits: [{ per: 'user', limit: 75 }],
  params: userFieldParams,
  response: singleSchema('User'),
  handler: ({ views }, { principal, params }) =>
    views.user({
      name: principal.userId,
      viewerId: principal.userId,
      selection: selectionOf(params),
      parameter: 'id',
    }),
});
