import * as v from '../../../core/validators.js';
import { endpoint, perQuarterHour, userWrite } from '../../endpoint.js';
import { jsonBody } from '../../body/body.js';
import { userFieldParams } from '../../params/families.js';
import { singleSchema } from '../../schemas/envelopes.js';
import { viewOf } from '../../viewer.js';

/** See docs/api/pipit.md#profile. */

export const changeProfileEndpoint = endpoint({
  operationId: 'changeProfile',
  tag: 'Pipit',
  summary: 'Changes the profile of the user; absent members stay as they are',
  method: 'PUT',
  path: '/_pipit/profile',
  access: userWrite('tweet.write'),
  rateLimits: perQuarterHour({ user: 50 }),
  params: userFieldParams,
  body: jsonBody(
    v.object({
      name: v.text({ description: 'The display name.', example: 'Ada the bird' }),
      description: v.text({ description: 'What the user says about themselves; empty removes it.' }),
      location: v.text({ description: 'Empty removes it.' }),
      url: v.text({ description: 'A web address; empty removes it.', example: 'https://birds.example' }),
    }),
  ),
  response: singleSchema('User'),
  handler: async ({ profiles, views }, call) => {
    const given = Object.entries(call.body).filter(([, value]) => value !== undefined);
    await profiles.change(call.principal, Object.fromEntries(given));
    return views.user({ names: [call.principal.userId], ...viewOf(call) });
  },
});
