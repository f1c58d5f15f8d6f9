import { publicRead, userWrite } from '../access.js';
import { endpoint } from '../endpoint.js';
import { pagedEndpoint } from '../paged-endpoint.js';
import { listFieldParams, postFieldParams } from '../params/families.js';
import { perQuarterHour } from '../rates.js';
import { dataSchema, singleSchema } from '../schemas/envelopes.js';
import { lookupOf, viewOf } from '../viewer.js';
import { listChangesBody, listInPath, listPage, newListBody } from './list-inputs.js';
import { listsOfUser } from './list-pages.js';

/** Lists and their posts (docs/api/lists.md). */

const tag = 'Lists';
const readAccess = publicRead('list.read');
const writeLimits = perQuarterHour({ user: 300 });

export const createList = endpoint({
  operationId: 'listIdCreate',
  tag,
  summary: 'Creates a List of the user',
  method: 'POST',
  path: '/2/lists',
  access: userWrite('list.read', 'list.write'),
  rateLimits: writeLimits,
  body: newListBody,
  success: 201,
  response: dataSchema({ id: { type: 'string' }, name: { type: 'string' } }),
  handler: async ({ lists }, { principal, body }) => {
    const { name, description = '', private: isPrivate = false } = body;
    const list = await lists.create(principal, { name, description, private: isPrivate });
    return { data: { id: String(list.id), name: list.name } };
  },
});

export const updateList = endpoint({
  operationId: 'listIdUpdate',
  tag,
  summary: 'Changes name, description or privacy of a List of the user',
  method: 'PUT',
  path: '/2/lists/{id}',
  access: userWrite('list.write'),
  rateLimits: writeLimits,
  params: listInPath,
  body: listChangesBody,
  response: dataSchema({ updated: { type: 'boolean' } }),
  handler: async ({ lists }, { principal, params, body }) => {
    await lists.update(principal, params.id, body);
    return { data: { updated: true } };
  },
});

export const deleteList = endpoint({
  operationId: 'listIdDelete',
  tag,
  summary: 'Deletes a List of the user',
  method: 'DELETE',
  path: '/2/lists/{id}',
  access: userWrite('list.write'),
  rateLimits: writeLimits,
  params: listInPath,
  response: dataSchema({ deleted: { type: 'boolean' } }),
  handler: async ({ lists }, { principal, params }) => {
    await lists.delete(principal, params.id);
    return { data: { deleted: true } };
  },
});

export const getList = endpoint({
  operationId: 'listIdGet',
  tag,
  summary: 'One List by its id',
  method: 'GET',
  path: '/2/lists/{id}',
  access: readAccess,
  rateLimits: perQuarterHour({ app: 75, user: 75 }),
  params: { ...listInPath, ...listFieldParams },
  response: singleSchema('List'),
  handler: ({ views }, call) => views.list({ id: call.params.id, ...lookupOf(call, 'id') }),
});

export const getOwnedLists = listsOfUser({
  operationId: 'listUserOwnedLists',
  summary: 'The Lists that a user owns, newest first',
  path: '/2/users/{id}/owned_lists',
  limit: 15,
  list: (lists, userId, page) => lists.listOwned(userId, page),
});

export const getListPosts = pagedEndpoint({
  operationId: 'listsIdTweets',
  tag,
  summary: 'Posts and reposts of the members of a List, newest first',
  path: '/2/lists/{id}/tweets',
  access: readAccess,
  rateLimits: perQuarterHour({ app: 900, user: 900 }),
  params: { ...listInPath, ...postFieldParams },
  page: listPage,
  component: 'Tweet',
  refuse: ({ views }, call) => views.refusePageOfList({ id: call.params.id, ...lookupOf(call, 'id') }),
  list: ({ lists }, { params }, page) => lists.listPosts(params.id, page),
  show: ({ views }, call, ids) => views.posts({ ids, ...viewOf(call) }),
});
