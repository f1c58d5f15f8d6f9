import type { PostId } from '../../../core/ids.js';
import { flag } from '../../../core/json-schema.js';
import * as v from '../../../core/validators.js';
import { type AnyEndpoint, endpoint, perQuarterHour, userWrite } from '../../endpoint.js';
import { idField, jsonBody } from '../../body/body.js';
import { dataSchema } from '../../schemas/envelopes.js';

/** See docs/api/pipit.md#pinned-post. */

const common = {
  tag: 'Pipit',
  path: '/_pipit/pinned_post',
  access: userWrite('tweet.write'),
  rateLimits: perQuarterHour({ user: 50 }),
  response: dataSchema({ pinned: flag }),
} as const;

export const pinnedPostEndpoints: readonly AnyEndpoint[] = [
  endpoint({
    ...common,
    operationId: 'pinPost',
    summary: 'Pins a post of the user to the profile, in place of another',
    method: 'PUT',
    body: jsonBody(v.object({ post_id: v.required(idField<PostId>('A post of the user.')) })),
    handler: async ({ posts }, { principal, body }) => {
      await posts.pin(principal, body.post_id);
      return { data: { pinned: true } };
    },
  }),
  endpoint({
    ...common,
    operationId: 'unpinPost',
    summary: 'Unpins the pinned post of the user; idempotent',
    method: 'DELETE',
    handler: async ({ posts }, { principal }) => {
      await posts.unpin(principal);
      return { data: { pinned: false } };
    },
  }),
];
