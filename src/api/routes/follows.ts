import { publicRead, userWrite } from '../access.js';
import { endpoint } from '../endpoint.js';
import { pagedEndpoint } from '../paged-endpoint.js';
import { userFieldParams } from '../params/families.js';
import { perQuarterHour } from '../rates.js';
import { dataSchema } from '../schemas/envelopes.js';
import { lookupOf, viewOf } from '../viewer.js';
import { pairPathParams, relationPage, targetUserBody, userPathParams } from './relation-inputs.js';

/** See docs/api/people.md#follows-blocks-and-mutes. */

const tag = 'Follows';
const access = userWrite('follows.write');
const DAY_SECONDS = 86_400;

export const followUser = endpoint({
  operationId: 'usersIdFollow',
  tag,
  summary: 'Follows a user, or sends a follow request to a protected one',
  method: 'POST',
  path: '/2/users/{id}/following',
  access: { ...access, ownId: 'id' },
  rateLimits: [
    ...perQuarterHour({ user: 50 }),
    { per: 'user', limit: 400, windowSeconds: DAY_SECONDS },
    { per: 'app-users', limit: 1000, windowSeconds: DAY_SECONDS },
  ],
  params: userPathParams,
  body: targetUserBody,
  response: dataSchema({ following: { type: 'boolean' }, pending_follow: { type: 'boolean' } }),
  handler: async ({ follows }, { principal, body }) => {
    const isPending = (await follows.follow(principal, body.target_user_id)) === 'pending';
    return { data: { following: !isPending, pending_follow: isPending } };
  },
});

export const unfollowUser = endpoint({
  operationId: 'usersIdUnfollow',
  tag,
  summary: 'Unfollows a user, or withdraws a follow request',
  method: 'DELETE',
  path: '/2/users/{source_user_id}/following/{target_user_id}',
  access: { ...access, ownId: 'source_user_id' },
  rateLimits: [...perQuarterHour({ user: 50 }), { per: 'app-users', limit: 500, windowSeconds: DAY_SECONDS }],
  params: pairPathParams,
  response: dataSchema({ following: { type: 'boolean' } }),
  handler: async ({ follows }, { principal, params }) => {
    await follows.unfollow(principal, params.target_user_id);
    return { data: { following: false } };
  },
});

/**
 * The common part of both lists; those of protected accounts are visible to their followers
 * (docs/api/objects.md#visibility).
 */
const list = {
  tag,
  access: publicRead('follows.read'),
  rateLimits: perQuarterHour({ app: 15, user: 15 }),
  params: { ...userPathParams, ...userFieldParams },
  page: relationPage,
  component: 'User',
} as const;

export const getFollowers = pagedEndpoint({
  ...list,
  operationId: 'usersIdFollowers',
  summary: 'The followers of the user, newest first',
  path: '/2/users/{id}/followers',
  refuse: ({ views }, call) => views.refuseListOfUser({ id: call.params.id, ...lookupOf(call, 'id') }),
  list: ({ follows }, { params }, page) => follows.listFollowers(params.id, page),
  show: ({ views }, call, names) => views.users({ names, ...viewOf(call) }),
});

export const getFollowing = pagedEndpoint({
  ...list,
  operationId: 'usersIdFollowing',
  summary: 'The users that the user follows, newest first',
  path: '/2/users/{id}/following',
  refuse: ({ views }, call) => views.refuseListOfUser({ id: call.params.id, ...lookupOf(call, 'id') }),
  list: ({ follows }, { params }, page) => follows.listFollowed(params.id, page),
  show: ({ views }, call, names) => views.users({ names, ...viewOf(call) }),
});
