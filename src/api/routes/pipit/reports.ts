import type { PostId, UserId } from '../../../core/ids.js';
import { fullObject, ref } from '../../../core/json-schema.js';
import { MAX_REPORT_COMMENT } from '../../../core/limits.js';
import { REPORT_REASONS } from '../../../core/report.js';
import * as v from '../../../core/validators.js';
import { presenter } from '../../../views/wire/presenter.js';
import { reportFields } from '../../../views/wire/report.js';
import { jsonBody } from '../../body/body.js';
import { type AnyEndpoint, endpoint, perQuarterHour, userWrite } from '../../endpoint.js';
import { idParam, inPath } from '../../params/params.js';

/** See docs/api/pipit.md#reports. */

const common = {
  tag: 'Pipit',
  method: 'POST',
  access: userWrite(),
  rateLimits: perQuarterHour({ user: 25 }),
  body: jsonBody(
    v.object({
      reason: v.required(v.oneOf(REPORT_REASONS)),
      comment: v.text({ max: MAX_REPORT_COMMENT, example: 'The same link again and again.' }),
    }),
  ),
  success: 201,
  response: fullObject({ data: ref('Report') }),
} as const;

const present = presenter(reportFields, new Set());

export const reportEndpoints: readonly AnyEndpoint[] = [
  endpoint({
    ...common,
    operationId: 'reportPost',
    summary: 'Reports a post to the operators',
    path: '/_pipit/posts/{post_id}/reports',
    params: { post_id: inPath(idParam<PostId>('The post.')) },
    handler: async ({ reports }, { principal, params, body: { reason, comment = '' } }) => {
      const target = { kind: 'post', id: params.post_id } as const;
      return { data: present(await reports.report(principal, { target, reason, comment })) };
    },
  }),
  endpoint({
    ...common,
    operationId: 'reportUser',
    summary: 'Reports a user to the operators',
    path: '/_pipit/users/{user_id}/reports',
    params: { user_id: inPath(idParam<UserId>('The user.')) },
    handler: async ({ reports }, { principal, params, body: { reason, comment = '' } }) => {
      const target = { kind: 'user', id: params.user_id } as const;
      return { data: present(await reports.report(principal, { target, reason, comment })) };
    },
  }),
];
