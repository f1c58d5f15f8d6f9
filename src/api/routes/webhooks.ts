import type { WebhookId } from '../../core/ids.js';
import { count, fullObject, listOf, ref } from '../../core/json-schema.js';
import * as v from '../../core/validators.js';
import { presentWebhook } from '../../views/wire/webhook.js';
import { jsonBody } from '../body/body.js';
import { type AnyEndpoint, endpoint, perQuarterHour } from '../endpoint.js';
import { changeEndpoint } from '../change-endpoint.js';
import { WEBHOOK_FIELDS } from '../params/fields.js';
import { choicesParam, idParam, inPath } from '../params/params.js';

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
