import type { AppId, WebhookId } from '../../core/ids.js';
import type { Queryable } from '../../database/engine.js';
import { findWebhook, type Webhook } from '../../stores/webhooks.js';
import { refused } from './webhook-url.js';

/** Returns the app's webhook with this id. Throws 'invalid-request' (WebhookIdInvalid) if it has none. */
export async function requireOwn(db: Queryable, appId: AppId, id: WebhookId): Promise<Webhook> {
  const webhook = await findWebhook(db, id);
  if (webhook?.appId === appId) return webhook;
  throw refused('WebhookIdInvalid', 'webhook_id', String(id), 'The app has no webhook with this id.');
}
