import type { UserId } from '../../core/ids.js';
import { publicRead, userWrite } from '../access.js';
import { endpoint } from '../endpoint.js';
import { pagedEndpoint } from '../paged-endpoint.js';
import { listFieldParams, userFieldParams } from '../params/families.js';
import { inPath } from '../params/param.js';
import { idParam } from '../params/values.js';
import { perQuarterHour } from '../rates.js';
import { dataSchema } from '../schemas/envelopes.js';
import { lookupOf, viewOf } from '../viewer.js';
import { listInPath, listPage, memberBody } from './list-inputs.js';
import { userInPath } from './post-actions.js';

/** Members of Lists (specification 4.14; limits from reference/endpoints.md section 13). */

const tag = 'Lists';
const readAccess = publicRead('list.read');
const writeAccess = userWrite('list.write');
const writeLimits = perQuarterHour({ user: 300 });
const isMember = dataSchema({ is_member: { type: 'boolean' } });

export const getListMembers = pagedEndpoint({
  operationId: 'listGetMembers',
  tag,
  summary: 'Who is in a List, who was added last first',
  path: '/2/lists/{id}/members',
  access: readAccess,
  rateLimits: perQuarterHour({ app: 900, user: 900 }),
  params: { ...listInPath, ...userFieldParams },
  page: listPage,
  component: 'User',
  refuse: ({ views }, call) => views.refusePageOfList({ id: call.params.id, ...lookupOf(call, 'id') }),
  list: ({ lists }, { params }, page) => lists.listMembers(params.id, page),
  show: ({ views }, call, names) => views.users({ names, ...viewOf(call) }),
});

export const addListMember = endpoint({
  operationId: 'listAddMember',
  tag,
  summary: 'Adds a user to a List of the caller',
  method: 'POST',
  path: '/2/lists/{id}/members',
  access: writeAccess,
  rateLimits: writeLimits,
  params: listInPath,
  body: memberBody,
  response: isMember,
  handler: async ({ lists }, { principal, params, body }) => {
    await lists.addMember(principal, params.id, body.user_id);
    return { data: { is_member: true } };
  },
});

export const removeListMember = endpoint({
  operationId: 'listRemoveMember',
  tag,
  summary: 'Takes a user out of a List of the caller',
  method: 'DELETE',
  path: '/2/lists/{id}/members/{user_id}',
  access: writeAccess,
  rateLimits: writeLimits,
  params: { ...listInPath, user_id: inPath(idParam<UserId>('The member.')) },
  response: isMember,
  handler: async ({ lists }, { principal, params }) => {
    await lists.removeMember(principal, params.id, params.user_id);
    return { data: { is_member: false } };
  },
});

export const getListMemberships = pagedEndpoint({
  operationId: 'getUserListMemberships',
  tag,
  summary: 'The Lists that a user is in, the newest membership first',
  path: '/2/users/{id}/list_memberships',
  access: readAccess,
  rateLimits: perQuarterHour({ app: 75, user: 75 }),
  params: { ...userInPath, ...listFieldParams },
  page: listPage,
  component: 'List',
  refuse: ({ views }, call) => views.refuseListOfUser({ id: call.params.id, ...lookupOf(call, 'id') }),
  list: ({ lists }, { params }, page) => lists.listMemberships(params.id, page),
  show: ({ views }, call, ids) => views.lists({ ids, ...viewOf(call) }),
});
