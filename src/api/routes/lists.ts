import type { UserId } from '../../core/ids.js';
import { text } from '../../core/json-schema.js';
import { MAX_LIST_DESCRIPTION, MAX_LIST_NAME } from '../../core/limits.js';
import * as v from '../../core/validators.js';
import { publicRead, userWrite, type AnyEndpoint, endpoint, perQuarterHour } from '../endpoint.js';
import { changeEndpoint } from '../change-endpoint.js';
import { jsonBody, idField } from '../body/body.js';
import { listFieldParams } from '../params/families.js';
import { idParam, inPath } from '../params/params.js';
import { dataSchema, singleSchema } from '../schemas/envelopes.js';
import { lookupOf } from '../viewer.js';
import { listInPath, ofList, ownedPage, posts, users } from './owned-page.js';

/** Lists, their posts, members and followers (docs/api/lists.md). */

const tag = 'Lists';
const read = { tag, access: publicRead('list.read') };
/** The common part of the calls that change a List. */
const write = {
  tag,
  access: userWrite('list.write'),
  rateLimits: perQuarterHour({ user: 300 }),
} as const;

const settings = {
  name: v.text({ min: 1, max: MAX_LIST_NAME, pattern: /\S/, example: 'Birds of the pond' }),
  description: v.text({ max: MAX_LIST_DESCRIPTION }),
  private: v.boolean('Whether only its owner can see the List.'),
};

export const listEndpoints: readonly AnyEndpoint[] = [
  endpoint({
    ...write,
    operationId: 'listIdCreate',
    summary: 'Creates a List of the user',
    method: 'POST',
    path: '/2/lists',
    access: userWrite('list.read', 'list.write'),
    body: jsonBody(v.object({ ...settings, name: v.required(settings.name) })),
    success: 201,
    response: dataSchema({ id: text, name: text }),
    handler: async ({ lists }, { principal, body }) => {
      const { name, description = '', private: isPrivate = false } = body;
      const list = await lists.create(principal, { name, description, private: isPrivate });
      return { data: { id: String(list.id), name: list.name } };
    },
  }),
  endpoint({
    ...read,
    operationId: 'listIdGet',
    summary: 'One List by its id',
    path: '/2/lists/{id}',
    rateLimits: perQuarterHour({ app: 75, user: 75 }),
    params: { ...listInPath, ...listFieldParams },
    response: singleSchema('List'),
    handler: ({ views }, call) => views.list({ ids: [call.params.id], ...lookupOf(call, 'id') }),
  }),
  changeEndpoint({
    ...write,
    operationId: 'listIdUpdate',
    summary: 'Changes name, description or privacy of a List of the user',
    method: 'PUT',
    path: '/2/lists/{id}',
    params: listInPath,
    body: jsonBody(v.object(settings)),
    answers: { updated: true },
    run: ({ lists }, { principal, params, body }) => lists.update(principal, params.id, body),
  }),
  changeEndpoint({
    ...write,
    operationId: 'listIdDelete',
    summary: 'Deletes a List of the user',
    method: 'DELETE',
    path: '/2/lists/{id}',
    params: listInPath,
    answers: { deleted: true },
    run: ({ lists }, { principal, params }) => lists.delete(principal, params.id),
  }),
  ownedPage(ofList, posts, {
    ...read,
    operationId: 'listsIdTweets',
    summary: 'Posts and reposts of the members of a List, newest first',
    path: '/2/lists/{id}/tweets',
    rateLimits: perQuarterHour({ app: 900, user: 900 }),
    list: ({ lists }, { params }, page) => lists.listPosts(params.id, page),
  }),
  ownedPage(ofList, users, {
    ...read,
    operationId: 'listGetMembers',
    summary: 'The members of a List, newest member first',
    path: '/2/lists/{id}/members',
    rateLimits: perQuarterHour({ app: 900, user: 900 }),
    list: ({ lists }, { params }, page) => lists.listMembers(params.id, page),
  }),
  changeEndpoint({
    ...write,
    operationId: 'listAddMember',
    summary: 'Adds a user to a List of the caller',
    method: 'POST',
    path: '/2/lists/{id}/members',
    params: listInPath,
    body: jsonBody(v.object({ user_id: v.required(idField<UserId>('The user to add.')) })),
    answers: { is_member: true },
    run: ({ lists }, { principal, params, body }) => lists.addMember(principal, params.id, body.user_id),
  }),
  changeEndpoint({
    ...write,
    operationId: 'listRemoveMember',
    summary: 'Removes a user from a List of the caller',
    method: 'DELETE',
    path: '/2/lists/{id}/members/{user_id}',
    params: { ...listInPath, user_id: inPath(idParam<UserId>('The member.')) },
    answers: { is_member: false },
    run: ({ lists }, { principal, params }) => lists.removeMember(principal, params.id, params.user_id),
  }),
  ownedPage(ofList, users, {
    ...read,
    operationId: 'listGetFollowers',
    summary: 'The followers of a List, newest first',
    path: '/2/lists/{id}/followers',
    rateLimits: perQuarterHour({ app: 180, user: 180 }),
    list: ({ lists }, { params }, page) => lists.listFollowers(params.id, page),
  }),
];
