import type { UserId } from '../../../core/ids.js';
import { type AnyEndpoint, perQuarterHour, userRead, userWrite } from '../../endpoint.js';
import { changeEndpoint } from '../../change-endpoint.js';
import { pagedEndpoint } from '../../paged-endpoint.js';
import { userFieldParams } from '../../params/families.js';
import { idParam, inPath } from '../../params/params.js';
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
  changeEndpoint({
    ...write,
    operationId: 'acceptFollowRequest',
    summary: 'Accepts a follow request',
    method: 'POST',
    path: '/_pipit/follow_requests/{id}/accept',
    params: requester,
    answers: { accepted: true },
    run: ({ relations }, { principal, params }) => relations.acceptRequest(principal, params.id),
  }),
  changeEndpoint({
    ...write,
    operationId: 'denyFollowRequest',
    summary: 'Denies a follow request; idempotent',
    method: 'DELETE',
    path: '/_pipit/follow_requests/{id}',
    params: requester,
    answers: { denied: true },
    run: ({ relations }, { principal, params }) => relations.denyRequest(principal, params.id),
  }),
  changeEndpoint({
    ...write,
    operationId: 'removeFollower',
    summary: 'Makes a user no longer follow the user; idempotent',
    method: 'DELETE',
    path: '/_pipit/followers/{id}',
    params: { id: inPath(idParam<UserId>('The follower.')) },
    answers: { removed: true },
    run: ({ relations }, { principal, params }) => relations.removeFollower(principal, params.id),
  }),
];
