import type { PostId } from '../../core/ids.js';
import * as v from '../../core/validators.js';
import { userWrite } from '../access.js';
import { jsonBody } from '../body/body.js';
import { endpoint } from '../endpoint.js';
import { idParam, inPath } from '../params/params.js';
import { perQuarterHour } from '../rates.js';
import { dataSchema } from '../schemas/envelopes.js';

/** See docs/api/posts.md#hidden-replies. */
export const hideReply = endpoint({
  operationId: 'hideReplyById',
  tag: 'Hide replies',
  summary: 'Hides a reply in a conversation that the user started, or shows it again',
  method: 'PUT',
  path: '/2/tweets/{id}/hidden',
  access: userWrite('tweet.moderate.write'),
  rateLimits: perQuarterHour({ user: 50 }),
  params: { id: inPath(idParam<PostId>('The reply.')) },
  body: jsonBody(v.object({ hidden: v.required(v.boolean('True hides, false shows.')) })),
  response: dataSchema({ hidden: { type: 'boolean' } }),
  handler: async ({ posts }, { principal, params, body }) => {
    await posts.setHidden(principal, params.id, body.hidden);
    return { data: { hidden: body.hidden } };
  },
});
