import { POLL_OPTIONS } from '../../../core/limits.js';
import type { PostId } from '../../../core/ids.js';
import * as v from '../../../core/validators.js';
import { pollFields } from '../../../views/wire/poll.js';
import { presenter } from '../../../views/wire/presenter.js';
import { endpoint, perQuarterHour, userWrite } from '../../endpoint.js';
import { jsonBody } from '../../body/body.js';
import { POLL_FIELDS } from '../../params/fields.js';
import { idParam, inPath } from '../../params/params.js';
import { singleSchema } from '../../schemas/envelopes.js';

const present = presenter(pollFields, new Set<string>(POLL_FIELDS));

/** See docs/api/pipit.md#votes-in-polls. */
export const voteInPoll = endpoint({
  operationId: 'voteInPoll',
  tag: 'Pipit',
  summary: 'Votes in the poll of a post, and returns the poll with its results',
  method: 'POST',
  path: '/_pipit/polls/{post_id}/votes',
  access: userWrite('tweet.write'),
  rateLimits: perQuarterHour({ user: 100 }),
  params: { post_id: inPath(idParam<PostId>('The post with the poll.')) },
  body: jsonBody(
    v.object({
      option: v.required(
        v.integer({ min: 1, max: POLL_OPTIONS.max, description: 'The position of the chosen option.' }),
      ),
    }),
  ),
  response: singleSchema('Poll'),
  handler: async ({ polls, clock }, { principal, params, body }) => ({
    data: present(await polls.vote(principal, params.post_id, body.option), clock()),
  }),
});
