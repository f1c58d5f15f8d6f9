import type { WebhookId } from '../../core/ids.js';
import { date, id } from '../../core/json-schema.js';
import * as v from '../../core/validators.js';
import { presentDate } from '../../views/present/dates.js';
import { idField, jsonBody } from '../body/body.js';
import { endpoint, perQuarterHour } from '../endpoint.js';
import { dataSchema } from '../schemas/envelopes.js';

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
  tag: 'Webhooks',
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
