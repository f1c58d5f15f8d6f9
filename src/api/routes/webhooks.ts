import type { WebhookId } from '../../core/ids.js';
import { count, date, fullObject, id, listOf, ref } from '../../core/json-schema.js';
import * as v from '../../core/validators.js';
import { presentDate } from '../../views/present/dates.js';
import { presentWebhook } from '../../views/wire/webhook.js';
import { idField, jsonBody } from '../body/body.js';
import { type AnyEndpoint, endpoint, perQuarterHour } from '../endpoint.js';
import { changeEndpoint } from '../change-endpoint.js';
import { WEBHOOK_FIELDS } from '../params/fields.js';
import { choicesParam, idParam, inPath } from '../params/params.js';
import { dataSchema } from '../schemas/envelopes.js';

/** The webhooks of an app (docs/api/webhooks.md#registration). */

const tag = 'Webhooks';
const rateLimits = perQuarterHour({ app: 450, user: 450 });
/** A user stands for the app that signs the request. */
const write = { tag, access: { contexts: ['app', 'oauth1'] }, rateLimits } as const;
const ofOne = {
  path: '/2/webhooks/{webhook_id}',
  params: { webhook_id: inPath(idParam<WebhookId>('The webhook.')) },
};

export const webhookEndpoints: readonly AnyEndpoint[] = [
  endpoint({
    tag,
    access: { contexts: ['app'] },
    rateLimits: perQuarterHour({ app: 450 }),
    operationId: 'getWebhooks',
    summary: 'The webhooks of the app, oldest first',
    path: '/2/webhooks',
    params: {
      'webhook_config.fields': choicesParam(WEBHOOK_FIELDS, 'Fields of webhooks; all are always returned.'),
    },
    response: fullObject({ data: listOf(ref('Webhook')), meta: fullObject({ result_count: count }) }),
    handler: async ({ webhooks }, { principal }) => {
      const data = (await webhooks.listOf(principal.app.id)).map(presentWebhook);
      return { data, meta: { result_count: data.length } };
    },
  }),
  endpoint({
    ...write,
    operationId: 'createWebhooks',
    summary: 'Registers a webhook, after a check of its URL',
    method: 'POST',
    path: '/2/webhooks',
    body: jsonBody(
      v.object({
        url: v.required(
          v.text({ min: 1, description: 'Where events are sent.', example: 'https://app.example/events' }),
        ),
      }),
    ),
    response: fullObject({ data: ref('Webhook') }),
    handler: async ({ webhooks }, { principal, body }) => ({
      data: presentWebhook(await webhooks.register(principal.app.id, body.url)),
    }),
  }),
  changeEndpoint({
    ...write,
    ...ofOne,
    operationId: 'validateWebhooks',
    summary: 'Checks the URL of a webhook; one that passes receives events again',
    method: 'PUT',
    answers: { valid: true },
    run: ({ webhooks }, { principal, params }) => webhooks.check(principal.app.id, params.webhook_id),
  }),
  changeEndpoint({
    ...write,
    ...ofOne,
    operationId: 'deleteWebhooks',
    summary: 'Removes a webhook and all that is sent to it',
    method: 'DELETE',
    answers: { deleted: true },
    run: ({ webhooks }, { principal, params }) => webhooks.delete(principal.app.id, params.webhook_id),
  }),
];

const MINUTE = /^([0-9]{4})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})$/;

/** A minute of UTC such as `202611231859`, in milliseconds. */
function minute(description: string): v.Validator<number> {
  const text = v.text({ pattern: MINUTE, description, example: '202611231859' });
  return v.refined(text, (value, path, faults) => {
    const timeMs = Date.parse(value.replace(MINUTE, '$1-$2-$3T$4:$5Z'));
    return Number.isNaN(timeMs) ? faults.report(path, { kind: 'time' }, value) : timeMs;
  });
}

/** Repeats deliveries to a webhook (docs/api/webhooks.md#replay). */
export const replayWebhook = endpoint({
  operationId: 'createWebhookReplayJob',
  tag,
  summary: 'Sends the events of a period to a webhook once more',
  method: 'POST',
  path: '/2/webhooks/replay',
  access: { contexts: ['app'] },
  rateLimits: perQuarterHour({ app: 100 }),
  body: jsonBody(
    v.object({
      webhook_id: v.required(idField<WebhookId>('The webhook.')),
      from_date: v.required(minute('The first minute, in UTC; at most 24 hours ago.')),
      to_date: v.required(minute('The last minute, in UTC.')),
    }),
  ),
  response: dataSchema({ created_at: date, job_id: id }),
  handler: async ({ webhookReplays }, { principal, body }) => {
    const period = { fromMs: body.from_date, toMs: body.to_date };
    const { jobId, createdAtMs } = await webhookReplays.start(principal.app.id, body.webhook_id, period);
    return { data: { created_at: presentDate(createdAtMs), job_id: String(jobId) } };
  },
});
