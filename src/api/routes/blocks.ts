import { userRead, userWrite } from '../access.js';
import { endpoint } from '../endpoint.js';
import { pagedEndpoint } from '../paged-endpoint.js';
import { userFieldParams } from '../params/families.js';
import { perQuarterHour } from '../rates.js';
import { dataSchema } from '../schemas/envelopes.js';
import { viewOf } from '../viewer.js';
import { pairPathParams, relationPage, targetUserBody, userPathParams } from './relation-inputs.js';

/** See docs/api/people.md#follows-blocks-and-mutes. */

const tag = 'Blocks';
const access = userWrite('block.write');
const rateLimits = perQuarterHour({ user: 50 });
const response = dataSchema({ blocking: { type: 'boolean' } });

export const blockUser = endpoint({
  operationId: 'usersIdBlock',
  tag,
  summary: 'Blocks a user and removes follows and follow requests between the two',
  method: 'POST',
  path: '/2/users/{id}/blocking',
  access: { ...access, ownId: 'id' },
  rateLimits,
  params: userPathParams,
  body: targetUserBody,
  response,
  handler: async ({ blocks }, { principal, body }) => {
    await blocks.block(principal, body.target_user_id);
    return { data: { blocking: true } };
  },
});

export const unblockUser = endpoint({
  operationId: 'usersIdUnblock',
  tag,
  summary: 'Unblocks a user; removed follows are not restored',
  method: 'DELETE',
  path: '/2/users/{source_user_id}/blocking/{target_user_id}',
  access: { ...access, ownId: 'source_user_id' },
  rateLimits,
  params: pairPathParams,
  response,
  handler: async ({ blocks }, { principal, params }) => {
    await blocks.unblock(principal, params.target_user_id);
    return { data: { blocking: false } };
  },
});

export const getBlocked = pagedEndpoint({
  operationId: 'usersIdBlocking',
  tag,
  summary: 'The users that the user blocks, newest block first',
  path: '/2/users/{id}/blocking',
  access: { ...userRead('block.read'), ownId: 'id' },
  rateLimits: perQuarterHour({ user: 15 }),
  params: { ...userPathParams, ...userFieldParams },
  page: relationPage,
  component: 'User',
  list: ({ blocks }, { params }, page) => blocks.listBlocked(params.id, page),
  show: ({ views }, call, names) => views.users({ names, ...viewOf(call) }),
});
