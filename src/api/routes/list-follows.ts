import { userRead, userWrite } from '../access.js';
import { endpoint } from '../endpoint.js';
import { withPageMeta } from '../paging.js';
import { listFieldParams } from '../params/families.js';
import { perQuarterHour } from '../rates.js';
import { dataSchema, pageSchema } from '../schemas/envelopes.js';
import { viewOf } from '../viewer.js';
import { listBody, listOfUserInPath } from './list-inputs.js';
import { listsOfUser, usersOfList } from './list-pages.js';
import { userInPath } from './post-actions.js';

/** Following and pinning Lists (docs/api/lists.md). */

const tag = 'Lists';
const writeAccess = { ...userWrite('list.write'), ownId: 'id' } as const;
const writeLimits = perQuarterHour({ user: 50 });
const following = dataSchema({ following: { type: 'boolean' } });
const pinned = dataSchema({ pinned: { type: 'boolean' } });

export const getListFollowers = usersOfList({
  operationId: 'listGetFollowers',
  summary: 'The followers of a List, newest first',
  path: '/2/lists/{id}/followers',
  limit: 180,
  list: (lists, id, page) => lists.listFollowers(id, page),
});

export const getFollowedLists = listsOfUser({
  operationId: 'userFollowedLists',
  summary: 'The Lists that a user follows, newest follow first',
  path: '/2/users/{id}/followed_lists',
  limit: 15,
  list: (lists, userId, page) => lists.listFollowed(userId, page),
});

export const followList = endpoint({
  operationId: 'listUserFollow',
  tag,
  summary: 'Follows a List',
  method: 'POST',
  path: '/2/users/{id}/followed_lists',
  access: writeAccess,
  rateLimits: writeLimits,
  params: userInPath,
  body: listBody,
  response: following,
  handler: async ({ lists }, { principal, body }) => {
    await lists.follow(principal, body.list_id);
    return { data: { following: true } };
  },
});

export const unfollowList = endpoint({
  operationId: 'listUserUnfollow',
  tag,
  summary: 'Unfollows a List; idempotent',
  method: 'DELETE',
  path: '/2/users/{id}/followed_lists/{list_id}',
  access: writeAccess,
  rateLimits: writeLimits,
  params: { ...userInPath, ...listOfUserInPath },
  response: following,
  handler: async ({ lists }, { principal, params }) => {
    await lists.unfollow(principal, params.list_id);
    return { data: { following: false } };
  },
});

export const getPinnedLists = endpoint({
  operationId: 'listUserPinnedLists',
  tag,
  summary: 'The Lists that the user has pinned, newest pin first',
  method: 'GET',
  path: '/2/users/{id}/pinned_lists',
  access: { ...userRead('list.read'), ownId: 'id' },
  rateLimits: perQuarterHour({ user: 15 }),
  params: { ...userInPath, ...listFieldParams },
  response: pageSchema('List'),
  handler: async ({ lists, views }, call) => {
    const ids = await lists.listPinned(call.params.id);
    return withPageMeta(await views.lists({ ids, ...viewOf(call) }), {});
  },
});

export const pinList = endpoint({
  operationId: 'listUserPin',
  tag,
  summary: 'Pins a List; up to 5 can be pinned',
  method: 'POST',
  path: '/2/users/{id}/pinned_lists',
  access: writeAccess,
  rateLimits: writeLimits,
  params: userInPath,
  body: listBody,
  response: pinned,
  handler: async ({ lists }, { principal, body }) => {
    await lists.pin(principal, body.list_id);
    return { data: { pinned: true } };
  },
});

export const unpinList = endpoint({
  operationId: 'listUserUnpin',
  tag,
  summary: 'Unpins a List; idempotent',
  method: 'DELETE',
  path: '/2/users/{id}/pinned_lists/{list_id}',
  access: writeAccess,
  rateLimits: writeLimits,
  params: { ...userInPath, ...listOfUserInPath },
  response: pinned,
  handler: async ({ lists }, { principal, params }) => {
    await lists.unpin(principal, params.list_id);
    return { data: { pinned: false } };
  },
});
