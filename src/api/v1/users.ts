import type { UserId } from '../../core/ids.js';
import { listOf, ref } from '../../core/json-schema.js';
import { endpoint, perQuarterHour, type AnyEndpoint } from '../endpoint.js';
import { viewerOf } from '../viewer.js';
import { answerV1, ENDPOINT_V1, READ_V1 } from './endpoint-v1.js';
import { findNamedUser, userParams, withoutAt } from './named-user.js';
import { idListV1Param, textV1Param } from './params.js';
import { missingQuery, noSuchUser, refusedV1, suspendedUser } from './refusals.js';

/** See docs/api/v1.md#users. */

const common = { ...ENDPOINT_V1, tag: 'Users, version 1.1', access: READ_V1 } as const;

/** Users per lookup. */
const MAX_NAMES = 100;

const lookup = {
  ...common,
  summary: 'Up to 100 users by their ids or usernames',
  path: '/1.1/users/lookup.json',
  rateLimits: perQuarterHour({ app: 300, user: 900 }).map((limit) => ({
    ...limit,
    pool: 'lookups of users',
  })),
  params: {
    user_id: idListV1Param<UserId>('The users by id, separated by commas.'),
    screen_name: textV1Param('The users by username, separated by commas.', 'alice,bob'),
  },
  response: listOf(ref('UserV1')),
} as const;

type LookupHandler = Parameters<typeof endpoint<typeof READ_V1, typeof lookup.params>>[0]['handler'];

const showUsers: LookupHandler = async ({ views }, { principal, params }) => {
  const named = (params.screen_name ?? '').split(',').map(withoutAt);
  const names = [...(params.user_id ?? []), ...named.filter((name) => name !== '')];
  if (names.length === 0) throw missingQuery();
  if (names.length > MAX_NAMES) throw refusedV1(18, 403, 'Too many terms specified in query.');
  const found = await views.usersV1({ names, viewerId: viewerOf(principal) });
  const users = new Map(found.flatMap(({ id, user }) => (user ? [[id, user]] : [])));
  if (users.size === 0) throw refusedV1(17, 404, 'No user matches for specified terms.');
  return answerV1([...users.values()]);
};

export const userV1Endpoints: readonly AnyEndpoint[] = [
  endpoint({
    ...common,
    operationId: 'showUserV1',
    summary: 'One user by id or username',
    path: '/1.1/users/show.json',
    rateLimits: perQuarterHour({ app: 900, user: 900 }),
    params: userParams,
    response: ref('UserV1'),
    handler: async (context, { principal, params }) => {
      const { visibility, user } = await findNamedUser(context, params, viewerOf(principal), undefined);
      if (visibility === undefined) throw noSuchUser();
      if (!user) throw suspendedUser();
      return answerV1(user);
    },
  }),
  endpoint({ ...lookup, operationId: 'lookupUsersV1', handler: showUsers }),
  endpoint({ ...lookup, operationId: 'lookupUsersByFormV1', method: 'POST', handler: showUsers }),
];
