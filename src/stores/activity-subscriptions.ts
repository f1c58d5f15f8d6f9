import type { ActivityFilter, ActivitySubscription, ActivityType } from '../core/activity.js';
import type { ActivitySubscriptionId, AppId, UserId, WebhookId } from '../core/ids.js';
import type { Page, PageRequest } from '../core/page.js';
import type { Queryable, Tx } from '../database/engine.js';
import {
  asId,
  asNumber,
  asOptionalId,
  asOptionalText,
  asText,
  list,
  sql,
  type Sql,
} from '../database/sql.js';
import { defineTable, deleteBy, setQuery } from '../database/table.js';

const SUBSCRIPTIONS = defineTable<ActivitySubscription, ActivitySubscriptionId>(
  'activity_subscriptions',
  'id',
  {
    id: ['id', asId],
    appId: ['app_id', asId],
    subscriberId: ['subscriber_id', asOptionalId],
    type: ['event_type', asText],
    userId: ['user_id', asOptionalId],
    keyword: ['keyword', asOptionalText],
    direction: ['direction', asOptionalText as (value: unknown) => ActivityFilter['direction']],
    tag: ['tag', asOptionalText],
    webhookId: ['webhook_id', asOptionalId],
    createdAtMs: ['created_at', asNumber],
    updatedAtMs: ['updated_at', asNumber],
  },
);

export const insertActivitySubscription = SUBSCRIPTIONS.insert;
export const changeActivitySubscription = SUBSCRIPTIONS.updater('tag', 'webhookId', 'updatedAtMs');

/** Whose subscriptions: those of an app, or only those that one user made with it. */
export interface SubscriptionOwner {
  readonly appId: AppId;
  readonly subscriberId?: UserId;
}

function ownedBy({ appId, subscriberId }: SubscriptionOwner): Sql {
  const ofApp = sql`app_id = ${appId}`;
  return subscriberId === undefined ? ofApp : sql`${ofApp} AND subscriber_id = ${subscriberId}`;
}

/** Lists subscriptions, newest first. */
export function listActivitySubscriptions(
  db: Queryable,
  owner: SubscriptionOwner,
  request: PageRequest,
): Promise<Page<ActivitySubscription>> {
  return SUBSCRIPTIONS.page(db, ownedBy(owner), request);
}

export async function countActivitySubscriptions(db: Queryable, owner: SubscriptionOwner): Promise<number> {
  const row = await db.get(sql`SELECT COUNT(*) AS count FROM activity_subscriptions WHERE ${ownedBy(owner)}`);
  return asNumber(row?.count);
}

/** Returns the app's subscription with this id. */
export async function findActivitySubscription(
  db: Queryable,
  appId: AppId,
  id: ActivitySubscriptionId,
): Promise<ActivitySubscription | undefined> {
  const found = await SUBSCRIPTIONS.find(db, id);
  return found?.appId === appId ? found : undefined;
}

/** Returns all subscriptions of an app, oldest first. */
export function listActivitySubscriptionsOf(db: Queryable, appId: AppId): Promise<ActivitySubscription[]> {
  return SUBSCRIPTIONS.list(db, sql`app_id = ${appId} ORDER BY id`);
}

/** Returns the subscriptions of an app to one kind of activity of a user, or of none. */
export function listActivitySubscriptionsTo(
  db: Queryable,
  appId: AppId,
  type: ActivityType,
  userId: UserId | undefined,
): Promise<ActivitySubscription[]> {
  const ofUser = userId === undefined ? sql`user_id IS NULL` : sql`user_id = ${userId}`;
  return SUBSCRIPTIONS.list(db, sql`${ofUser} AND event_type = ${type} AND app_id = ${appId}`);
}

/** Returns the subscriptions, of any app, to the activity of these users, in no order. */
export async function listActivitySubscriptionsAbout(
  db: Queryable,
  userIds: readonly UserId[],
): Promise<ActivitySubscription[]> {
  return userIds.length === 0 ? [] : SUBSCRIPTIONS.list(db, sql`user_id IN ${list(userIds)}`);
}

/** Deletes those of an app's subscriptions that have one of these ids, and returns their ids. */
export const deleteActivitySubscriptions = setQuery<bigint, [appId: AppId, ids: readonly bigint[]]>(
  asId,
  'DELETE FROM activity_subscriptions WHERE app_id = ? AND id IN ? RETURNING id',
);

/** Deletes all subscriptions of an app. */
export const deleteActivitySubscriptionsOf = deleteBy<AppId>('app_id', 'activity_subscriptions');

/** Deletes the subscriptions that a user made: with one app, or with all, and then also those to the user. */
export async function deleteActivitySubscriptionsBy(tx: Tx, userId: UserId, appId?: AppId): Promise<void> {
  await tx.run(
    appId === undefined
      ? sql`DELETE FROM activity_subscriptions WHERE subscriber_id = ${userId} OR user_id = ${userId}`
      : sql`DELETE FROM activity_subscriptions WHERE app_id = ${appId} AND subscriber_id = ${userId}`,
  );
}

/** Ends the deliveries of activity to a webhook. The subscriptions stay. */
export async function forgetWebhook(tx: Tx, id: WebhookId): Promise<void> {
  await tx.run(sql`UPDATE activity_subscriptions SET webhook_id = NULL WHERE webhook_id = ${id}`);
}
