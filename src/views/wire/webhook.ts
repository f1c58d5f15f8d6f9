import { date, flag, id, url } from '../../core/json-schema.js';
import type { Webhook } from '../../stores/webhooks.js';
import { presentDate } from '../present/dates.js';
import { required, type Fields } from './field.js';
import { presenter } from './presenter.js';

/** A webhook (docs/api/webhooks.md#registration). */
export const webhookFields = {
  created_at: required(date, ({ createdAtMs }) => presentDate(createdAtMs)),
  id: required(id, (webhook) => String(webhook.id)),
  url: required(url, (webhook) => webhook.url),
  valid: required(flag, ({ isValid }) => isValid),
} satisfies Fields<Webhook>;

/** Presents a webhook with all its members, whatever the request asks for. */
export const presentWebhook = presenter(webhookFields, new Set());
