import type { AppId, WebhookId } from '../core/ids.js';
import type { Queryable } from '../database/engine.js';
import { asBoolean, asId, asNumber, asOptionalNumber, asOptionalText, asText, sql } from '../database/sql.js';
import { defineTable, deleteBy, existsQuery, valueQuery, setQuery, countQuery } from '../database/table.js';

/** An address of an app to which events are sent (docs/design/webhooks.md). */
export interface Webhook {
  readonly id: WebhookId;
  readonly appId: AppId;
  readonly url: string;
  readonly createdAtMs: number;
  /** Only valid webhooks receive events. */
  readonly isValid: boolean;
  /** Why the webhook is invalid. */
  readonly invalidReason?: string;
  /** The last check of the address. */
  readonly checkedAtMs: number;
  /** What was wrong at the last check; absent if it passed. */
  readonly checkError?: string;
  /** The first of the checks that failed in a row without making the webhook invalid. */
  readonly failingSinceMs?: number;
}

const WEBHOOKS = defineTable<Webhook, WebhookId>('webhooks', 'id', {
  id: ['id', asId],
  appId: ['app_id', asId],
  url: ['url', asText],
  createdAtMs: ['created_at', asNumber],
  isValid: ['is_valid', asBoolean],
  invalidReason: ['invalid_reason', asOptionalText],
  checkedAtMs: ['checked_at', asNumber],
  checkError: ['check_error', asOptionalText],
  failingSinceMs: ['failing_since', asOptionalNumber],
});

export const findWebhook = WEBHOOKS.find;
export const insertWebhook = WEBHOOKS.insert;

/** Returns the webhooks of an app, oldest first. */
export function listWebhooks(db: Queryable, appId: AppId): Promise<Webhook[]> {
  return WEBHOOKS.list(db, sql`app_id = ${appId} ORDER BY id`);
}

/** Returns up to `limit` valid webhooks that were last checked before a time. */
export function listUnchecked(db: Queryable, beforeMs: number, limit: number): Promise<Webhook[]> {
  return WEBHOOKS.list(
    db,
    sql`is_valid = 1 AND checked_at <= ${beforeMs} ORDER BY checked_at LIMIT ${limit}`,
  );
}

/** Returns when the first valid webhook checked after a time was checked. */
export const findFirstCheckMs = valueQuery<number | undefined, [afterMs: number]>(
  asOptionalNumber,
  'SELECT MIN(checked_at) FROM webhooks WHERE is_valid = 1 AND checked_at > ?',
);

/** Reports whether there is any webhook. */
export const hasWebhooks = existsQuery<[]>('SELECT 1 FROM webhooks LIMIT 1');

/** Counts the webhooks, up to `limit`. */
export const countWebhooks = countQuery<[limit: number]>('(SELECT 1 FROM webhooks LIMIT ?) capped');

/** Counts the webhooks that are invalid or whose deliveries fail, among the first `limit`. */
export const countFailingWebhooks = countQuery<[limit: number]>(
  `(SELECT is_valid, failing_since FROM webhooks LIMIT ?) capped
    WHERE is_valid = 0 OR failing_since IS NOT NULL`,
);

/** Reports whether there is any webhook that receives events. */
export const hasValidWebhooks = existsQuery<[]>('SELECT 1 FROM webhooks WHERE is_valid = 1 LIMIT 1');

/** Returns which of the webhooks exist and are valid. */
export const validAmong = setQuery<WebhookId, [ids: readonly WebhookId[]]>(
  asId,
  'SELECT id FROM webhooks WHERE is_valid = 1 AND id IN ?',
);

/** Stores the outcome of a check or of deliveries. Returns false if there is no such webhook. */
export const updateWebhookState = WEBHOOKS.updater(
  'isValid',
  'invalidReason',
  'checkedAtMs',
  'checkError',
  'failingSinceMs',
);

/** Deletes a webhook with its link. Its deliveries are deleted by `endLanes` and housekeeping. */
export const deleteWebhook = deleteBy<WebhookId>('id', 'webhooks');
