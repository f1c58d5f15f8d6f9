import type { AppId, UserId, WebhookId } from '../core/ids.js';
import type { Tx } from '../database/engine.js';
import { asId, asNumber, sql, type Sql } from '../database/sql.js';
import { countQuery, deleteBy, existsQuery, listQuery, rowChange, rowsQuery } from '../database/table.js';

/** Users who let an app receive what happens on their accounts, by webhook (docs/api/activity.md#account-activity). */
export interface AccountSubscription {
  readonly webhookId: WebhookId;
  readonly userId: UserId;
  /** The app of the webhook. */
  readonly appId: AppId;
  readonly createdAtMs: number;
}

/** Stores a subscription. Returns false and changes nothing if it exists. */
export const insertAccountSubscription = rowChange<
  [webhookId: WebhookId, userId: UserId, appId: AppId, createdAtMs: bigint]
>(
  `INSERT INTO account_subscriptions (webhook_id, user_id, app_id, created_at)
   VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
);

/** Deletes a subscription. Returns false if there is none. */
export const deleteAccountSubscription = rowChange<[webhookId: WebhookId, userId: UserId]>(
  'DELETE FROM account_subscriptions WHERE webhook_id = ? AND user_id = ?',
);

export const hasAccountSubscription = existsQuery<[webhookId: WebhookId, userId: UserId]>(
  'SELECT 1 FROM account_subscriptions WHERE webhook_id = ? AND user_id = ?',
);

/** Returns the users of a webhook, ordered by id. */
export const listSubscribedUsers = listQuery<UserId, [webhookId: WebhookId]>(
  asId,
  'SELECT user_id FROM account_subscriptions WHERE webhook_id = ? ORDER BY user_id',
);

/** Counts the subscriptions of an app to all of its webhooks. */
export const countAccountSubscriptions = countQuery<[AppId]>('account_subscriptions WHERE app_id = ?');

/** Returns the subscriptions of these users, in the order of the webhooks. */
export const listAccountSubscriptionsOf = rowsQuery<AccountSubscription, [userIds: readonly UserId[]]>(
  (row) => ({
    webhookId: asId(row.webhook_id),
    userId: asId(row.user_id),
    appId: asId(row.app_id),
    createdAtMs: asNumber(row.created_at),
  }),
  `SELECT webhook_id, user_id, app_id, created_at FROM account_subscriptions WHERE user_id IN ?
  ORDER BY webhook_id, user_id`,
);

/** Deletes the subscriptions of a webhook. */
export const deleteAccountSubscriptionsTo = deleteBy<WebhookId>('webhook_id', 'account_subscriptions');

/** Deletes the subscriptions of a user: to one app, or to all. Returns their webhooks. */
export async function deleteAccountSubscriptionsBy(
  tx: Tx,
  userId: UserId,
  appId?: AppId,
): Promise<WebhookId[]> {
  const ofApp: Sql = appId === undefined ? sql`` : sql` AND app_id = ${appId}`;
  const rows = await tx.all(sql`
    DELETE FROM account_subscriptions WHERE user_id = ${userId}${ofApp} RETURNING webhook_id`);
  return rows.map((row) => asId(row.webhook_id));
}
