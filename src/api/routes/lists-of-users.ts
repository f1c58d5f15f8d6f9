import type { ListId } from '../../core/ids.js';
import { publicRead, userRead, type AnyEndpoint, endpoint, perQuarterHour } from '../endpoint.js';
import { withPageMeta } from '../paging.js';
import { listFieldParams } from '../params/families.js';
import { pageSchema } from '../schemas/envelopes.js';
import { viewOf } from '../viewer.js';
import { actionPair, listTarget } from './action-pair.js';
import { lists as shownLists, ofUser, ownedPage, userInPath } from './owned-page.js';

/** The Lists that a user owns, is on, follows or has pinned (docs/api/lists.md). */

const tag = 'Lists';
const read = { tag, access: publicRead('list.read') };
const write = { tag, scope: 'list.write', rateLimits: perQuarterHour({ user: 50 }) } as const;

export const listOfUserEndpoints: readonly AnyEndpoint[] = [
  ownedPage(ofUser, shownLists, {
    ...read,
    operationId: 'listUserOwnedLists',
    summary: 'The Lists that a user owns, newest first',
    path: '/2/users/{id}/owned_lists',
    rateLimits: perQuarterHour({ app: 15, user: 15 }),
    list: ({ lists }, { params }, page) => lists.listOwned(params.id, page),
  }),
  ownedPage(ofUser, shownLists, {
    ...read,
    operationId: 'getUserListMemberships',
    summary: 'The Lists that have a user as a member, newest membership first',
    path: '/2/users/{id}/list_memberships',
    rateLimits: perQuarterHour({ app: 75, user: 75 }),
    list: ({ lists }, { params }, page) => lists.listMemberships(params.id, page),
  }),
  ownedPage(ofUser, shownLists, {
    ...read,
    operationId: 'userFollowedLists',
    summary: 'The Lists that a user follows, newest follow first',
    path: '/2/users/{id}/followed_lists',
    rateLimits: perQuarterHour({ app: 15, user: 15 }),
    list: ({ lists }, { params }, page) => lists.listFollowed(params.id, page),
  }),
  ...actionPair<ListId>(listTarget, {
    ...write,
    flag: 'following',
    list: 'followed_lists',
    does: {
      operationId: 'listUserFollow',
      summary: 'Follows a List',
      run: ({ lists }, principal, id) => lists.follow(principal, id),
    },
    undoes: {
      operationId: 'listUserUnfollow',
      summary: 'Unfollows a List; idempotent',
      run: ({ lists }, principal, id) => lists.unfollow(principal, id),
    },
  }),
  endpoint({
    operationId: 'listUserPinnedLists',
    tag,
    summary: 'The Lists that the user has pinned, newest pin first',
    path: '/2/users/{id}/pinned_lists',
    access: { ...userRead('list.read'), ownId: 'id' },
    rateLimits: perQuarterHour({ user: 15 }),
    params: { ...userInPath, ...listFieldParams },
    response: pageSchema('List'),
    handler: async ({ lists, views }, call) => {
      const ids = await lists.listPinned(call.params.id);
      return withPageMeta(await views.lists({ ids, ...viewOf(call) }), {});
    },
  }),
  ...actionPair<ListId>(listTarget, {
    ...write,
    flag: 'pinned',
    list: 'pinned_lists',
    does: {
      operationId: 'listUserPin',
      summary: 'Pins a List; up to 5 can be pinned',
      run: ({ lists }, principal, id) => lists.pin(principal, id),
    },
    undoes: {
      operationId: 'listUserUnpin',
      summary: 'Unpins a List; idempotent',
      run: ({ lists }, principal, id) => lists.unpin(principal, id),
    },
  }),
];
