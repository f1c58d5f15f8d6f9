import type { AppId, WebhookId } from '../core/ids.js';
import type { Queryable, Tx } from '../database/engine.js';
import { asId, asNumber, asPresentJson, sql } from '../database/sql.js';
import { defineTable, deleteBy } from '../database/table.js';

/** The filtered stream of an app that goes to one of its webhooks. */
export interface WebhookLink {
  readonly webhookId: WebhookId;
  readonly appId: AppId;
  /** The names that the messages have, by parameter. */
  readonly fields: LinkFields;
  readonly createdAtMs: number;
}

export type LinkFields = Readonly<Record<string, readonly string[]>>;

const LINKS = defineTable<WebhookLink, WebhookId>('webhook_links', 'webhookId', {
  webhookId: ['webhook_id', asId],
  appId: ['app_id', asId],
  fields: ['fields', asPresentJson, (fields) => JSON.stringify(fields)],
  createdAtMs: ['created_at', asNumber],
});

/** Returns the links of an app, oldest webhook first. */
export function listLinks(db: Queryable, appId: AppId): Promise<WebhookLink[]> {
  return LINKS.list(db, sql`app_id = ${appId} ORDER BY webhook_id`);
}

/** Returns the links of all valid webhooks. */
export function listLiveLinks(db: Queryable): Promise<WebhookLink[]> {
  return LINKS.list(db, sql`webhook_id IN (SELECT id FROM webhooks WHERE is_valid = 1) ORDER BY webhook_id`);
}

/** Stores a link in place of an earlier one of the webhook. */
export async function replaceLink(tx: Tx, link: WebhookLink): Promise<void> {
  await deleteLink(tx, link.webhookId);
  await LINKS.insert(tx, link);
}

/** Returns false if the webhook has no link. */
export const deleteLink = deleteBy<WebhookId>('webhook_id', 'webhook_links');
