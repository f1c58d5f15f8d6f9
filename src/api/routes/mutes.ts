import { userRead, userWrite } from '../access.js';
import { endpoint } from '../endpoint.js';
import { pagedEndpoint } from '../paged-endpoint.js';
import { userFieldParams } from '../params/families.js';
import { perQuarterHour } from '../rates.js';
import { dataSchema } from '../schemas/envelopes.js';
import { viewOf } from '../viewer.js';
import { pairPathParams, relationPage, targetUserBody, userPathParams } from './relation-inputs.js';

/** See docs/api/people.md#follows-blocks-and-mutes. */

const tag = 'Mutes';
const access = userWrite('mute.write');
const rateLimits = perQuarterHour({ user: 50 });
const response = dataSchema({ muting: { type: 'boolean' } });

export const muteUser = endpoint({
  operationId: 'usersIdMute',
  tag,
  summary: 'Mutes a user without notification',
  method: 'POST',
  path: '/2/users/{id}/muting',
  access: { ...access, ownId: 'id' },
  rateLimits,
  params: userPathParams,
  body: targetUserBody,
  response,
  handler: async ({ mutes }, { principal, body }) => {
    await mutes.mute(principal, body.target_user_id);
    return { data: { muting: true } };
  },
});

export const unmuteUser = endpoint({
  operationId: 'usersIdUnmute',
  tag,
  summary: 'Unmutes a user',
  method: 'DELETE',
  path: '/2/users/{source_user_id}/muting/{target_user_id}',
  access: { ...access, ownId: 'source_user_id' },
  rateLimits,
  params: pairPathParams,
  response,
  handler: async ({ mutes }, { principal, params }) => {
    await mutes.unmute(principal, params.target_user_id);
    return { data: { muting: false } };
  },
});

export const getMuted = pagedEndpoint({
  operationId: 'usersIdMuting',
  tag,
  summary: 'The users that the user mutes, newest mute first',
  path: '/2/users/{id}/muting',
  access: { ...userRead('mute.read'), ownId: 'id' },
  rateLimits: perQuarterHour({ user: 15 }),
  params: { ...userPathParams, ...userFieldParams },
  page: relationPage,
  component: 'User',
  list: ({ mutes }, { params }, page) => mutes.listMuted(params.id, page),
  show: ({ views }, call, names) => views.users({ names, ...viewOf(call) }),
});
