import type { UserId } from '../../../core/ids.js';
import { flag } from '../../../core/json-schema.js';
import { type AnyEndpoint, endpoint, perQuarterHour, userRead, userWrite } from '../../endpoint.js';
import { pagedEndpoint } from '../../paged-endpoint.js';
import { userFieldParams } from '../../params/families.js';
import { idParam, inPath } from '../../params/params.js';
import { dataSchema } from '../../schemas/envelopes.js';
import { viewOf } from '../../viewer.js';

/** See docs/api/pipit.md#follow-requests-and-followers. */

const tag = 'Pipit';
const write = { tag, access: userWrite('follows.write'), rateLimits: perQuarterHour({ user: 200 }) } as const;
const requester = { id: inPath(idParam<UserId>('The user who sent the request.')) };

export const followRequestEndpoints: readonly AnyEndpoint[] = [
  pagedEndpoint({
    operationId: 'getFollowRequests',
    tag,
    summary: 'The users who ask to follow the user, newest request first',
    path: '/_pipit/follow_requests',
    access: userRead('follows.read'),
    rateLimits: perQuarterHour({ user: 180 }),
    params: userFieldParams,
    page: { min: 1, max: 100, default: 50 },
    component: 'User',
    list: ({ relations }, { principal }, page) => relations.listRequests(principal.userId, page),
    show: ({ views }, call, names) => views.users({ names, ...viewOf(call) }),
  }),
  endpoint({
    ...write,
    operationId: 'acceptFollowRequest',
    summary: 'Accepts a follow request',
    method: 'POST',
    path: '/_pipit/follow_requests/{id}/accept',
    params: requester,
    response: dataSchema({ accepted: flag }),
    handler: async ({ relations }, { principal, params }) => {
      await relations.acceptRequest(principal, params.id);
      return { data: { accepted: true } };
    },
  }),
  endpoint({
    ...write,
    operationId: 'denyFollowRequest',
    summary: 'Denies a follow request; idempotent',
    method: 'DELETE',
    path: '/_pipit/follow_requests/{id}',
    params: requester,
    response: dataSchema({ denied: flag }),
    handler: async ({ relations }, { principal, params }) => {
      await relations.denyRequest(principal, params.id);
      return { data: { denied: true } };
    },
  }),
  endpoint({
    ...write,
    operationId: 'removeFollower',
    summary: 'Makes a user no longer follow the user; idempotent',
    method: 'DELETE',
    path: '/_pipit/followers/{id}',
    params: { id: inPath(idParam<UserId>('The follower.')) },
    response: dataSchema({ removed: flag }),
    handler: async ({ relations }, { principal, params }) => {
      await relations.removeFollower(principal, params.id);
      return { data: { removed: true } };
    },
  }),
];
