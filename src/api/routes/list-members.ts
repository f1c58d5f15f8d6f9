import type { UserId } from '../../core/ids.js';
import { userWrite } from '../access.js';
import { endpoint } from '../endpoint.js';
import { idParam, inPath } from '../params/params.js';
import { perQuarterHour } from '../rates.js';
import { dataSchema } from '../schemas/envelopes.js';
import { listInPath, memberBody } from './list-inputs.js';
import { listsOfUser, usersOfList } from './list-pages.js';

/** Members of Lists (docs/api/lists.md). */

const tag = 'Lists';
const writeAccess = userWrite('list.write');
const writeLimits = perQuarterHour({ user: 300 });
const isMember = dataSchema({ is_member: { type: 'boolean' } });

export const getListMembers = usersOfList({
  operationId: 'listGetMembers',
  summary: 'The members of a List, newest member first',
  path: '/2/lists/{id}/members',
  limit: 900,
  list: (lists, id, page) => lists.listMembers(id, page),
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
  summary: 'Removes a user from a List of the caller',
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

export const getListMemberships = listsOfUser({
  operationId: 'getUserListMemberships',
  summary: 'The Lists that have a user as a member, newest membership first',
  path: '/2/users/{id}/list_memberships',
  limit: 75,
  list: (lists, userId, page) => lists.listMemberships(userId, page),
});
