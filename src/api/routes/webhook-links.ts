import type { WebhookId } from '../../core/ids.js';
import { date, flag, fullObject, id, listOf, text } from '../../core/json-schema.js';
import { presentDate } from '../../views/present/dates.js';
import { type AnyEndpoint, endpoint, perQuarterHour } from '../endpoint.js';
import { streamedPostParams } from '../params/families.js';
import { idParam, inPath } from '../params/params.js';
import { dataSchema } from '../schemas/envelopes.js';

/** The filtered streams that go to webhooks (docs/api/webhooks.md#filtered-stream). */

const PATH = '/2/tweets/search/webhooks';
const common = {
  tag: 'Webhooks',
  access: { contexts: ['app'] },
  rateLimits: perQuarterHour({ app: 450 }),
} as const;
const webhook = { webhook_id: inPath(idParam<WebhookId>('The webhook.')) };

const link = fullObject({
  application_id: id,
  business_user_id: id,
  created_at: date,
  fields: listOf(text),
  instance_id: id,
  webhook_id: id,
});

export const webhookLinkEndpoints: readonly AnyEndpoint[] = [
  endpoint({
    ...common,
    operationId: 'getWebhooksStreamLinks',
    summary: 'The webhooks to which the filtered stream of the app goes',
    path: PATH,
    response: fullObject({ data: listOf(link) }),
    handler: async ({ webhookLinks }, { principal: { app } }) => {
      const { links, ownerId } = await webhookLinks.listOf(app.id);
      return {
        data: links.map(({ webhookId, fields, createdAtMs }) => ({
          application_id: String(app.id),
          business_user_id: String(ownerId),
          created_at: presentDate(createdAtMs),
          fields: [...new Set(Object.values(fields).flat())],
          // An app has one filtered stream.
          instance_id: String(app.id),
          webhook_id: String(webhookId),
        })),
      };
    },
  }),
  endpoint({
    ...common,
    operationId: 'createWebhooksStreamLink',
    summary: 'Sends the filtered stream of the app to a webhook, with these fields',
    method: 'POST',
    path: `${PATH}/{webhook_id}`,
    params: { ...webhook, ...streamedPostParams },
    response: dataSchema({ provisioned: flag }),
    handler: async ({ webhookLinks }, { principal, params: { webhook_id: webhookId, ...chosen } }) => {
      const fields = Object.entries(chosen).filter(([, names]) => names.size > 0);
      const lists = fields.map(([name, names]) => [name, [...names]]);
      await webhookLinks.add(principal.app.id, webhookId, Object.fromEntries(lists));
      return { data: { provisioned: true } };
    },
  }),
  endpoint({
    ...common,
    operationId: 'deleteWebhooksStreamLink',
    summary: 'Ends that; idempotent',
    method: 'DELETE',
    path: `${PATH}/{webhook_id}`,
    params: webhook,
    response: dataSchema({ deleted: flag }),
    handler: async ({ webhookLinks }, { principal, params }) => ({
      data: { deleted: await webhookLinks.remove(principal.app.id, params.webhook_id) },
    }),
  }),
];
