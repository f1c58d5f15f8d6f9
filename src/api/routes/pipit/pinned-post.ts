import type { PostId } from '../../../core/ids.js';
import * as v from '../../../core/validators.js';
import { type AnyEndpoint, perQuarterHour, userWrite } from '../../endpoint.js';
import { changeEndpoint } from '../../change-endpoint.js';
import { idField, jsonBody } from '../../body/body.js';

/** See docs/api/pipit.md#pinned-post. */

const common = {
  tag: 'Pipit',
  path: '/_pipit/pinned_post',
  access: userWrite('tweet.write'),
  rateLimits: perQuarterHour({ user: 50 }),
} as const;

export const pinnedPostEndpoints: readonly AnyEndpoint[] = [
  changeEndpoint({
    ...common,
    operationId: 'pinPost',
    summary: 'Pins a post of the user to the profile, in place of another',
    method: 'PUT',
    body: jsonBody(v.object({ post_id: v.required(idField<PostId>('A post of the user.')) })),
    answers: { pinned: true },
    run: ({ posts }, { principal, body }) => posts.pin(principal, body.post_id),
  }),
  changeEndpoint({
    ...common,
    operationId: 'unpinPost',
    summary: 'Unpins the pinned post of the user; idempotent',
    method: 'DELETE',
    answers: { pinned: false },
    run: ({ posts }, { principal }) => posts.unpin(principal),
  }),
];
