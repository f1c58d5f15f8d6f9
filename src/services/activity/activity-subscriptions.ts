import type { ActivityFilter, ActivitySubscription, ActivityType } from '../../core/activity.js';
import { conflict, forbidden, resourceNotFound } from '../../core/errors.js';
import type { ActivitySubscriptionId, AppId, UserId, WebhookId } from '../../core/ids.js';
import type { PageRequest } from '../../core/page.js';
import type { Queryable, Tx } from '../../database/engine.js';
import type { FeedEntry } from '../../database/feed.js';
import {
  changeActivitySubscription,
  countActivitySubscriptions,
  deleteActivitySubscriptions,
  findActivitySubscription,
  insertActivitySubscription,
  listActivitySubscriptions,
  listActivitySubscriptionsTo,
  type SubscriptionOwner,
} from '../../stores/activity-subscriptions.js';
import { lockApp } from '../../stores/locks.js';
import { findUser } from '../../stores/users.js';
import type { ServiceDeps } from '../service-deps.js';
import { subscriptionKey } from './filter-rules.js';
import { matchActivities } from './match-activities.js';
import { requireOwn } from '../webhooks/own-webhook.js';

/** What a subscription is to; its filter is valid for its type. */
export interface NewActivitySubscription extends ActivityFilter, SubscriptionOwner {
  readonly type: ActivityType;
  readonly tag?: string;
  readonly webhookId?: WebhookId;
}

/** Absent members stay unchanged. */
export type ActivitySubscriptionChanges = Pick<ActivitySubscription, 'tag' | 'webhookId'>;

interface Deps extends Pick<ServiceDeps, 'engine' | 'ids' | 'clock'> {
  /** The most subscriptions of an app. */
  readonly maxSubscriptions: number;
}

/** The subscriptions of apps to the activity of users (docs/api/activity.md#subscriptions). */
export type ActivitySubscriptionService = ReturnType<typeof createActivitySubscriptionService>;

export function createActivitySubscriptionService(deps: Deps) {
  const { engine, clock } = deps;
  const within = <T>(name: string, appId: AppId, body: (tx: Tx) => Promise<T>) =>
    engine.tx(name, async (tx) => {
      await lockApp(tx, appId);
      return body(tx);
    });
  return {
    /** Lists subscriptions, newest first. */
    page: (owner: SubscriptionOwner, request: PageRequest) =>
      listActivitySubscriptions(engine, owner, request),
    count: (owner: SubscriptionOwner) => countActivitySubscriptions(engine, owner),
    /**
     * Throws 'resource-not-found' for an unknown user, 'invalid-request' for a webhook that is not the app's, 'conflict'
     * for a duplicate, and 'forbidden' if the app would have too many subscriptions.
     */
    subscribe: (input: NewActivitySubscription) =>
      within('subscribe to activity', input.appId, (tx) => subscribe(tx, deps, input)),
    /** Throws as `subscribe` does, and 'resource-not-found' for a subscription that the app does not have. */
    change: (appId: AppId, id: ActivitySubscriptionId, changes: ActivitySubscriptionChanges) =>
      within('change subscription', appId, async (tx) => {
        const found = await findActivitySubscription(tx, appId, id);
        if (!found) throw noSubscription(id);
        const { tag = found.tag, webhookId = found.webhookId } = changes;
        if (webhookId !== undefined) await requireOwn(tx, appId, webhookId);
        await requireNoOther(tx, { ...found, webhookId }, id);
        const changed = { ...found, tag, webhookId, updatedAtMs: clock() };
        await changeActivitySubscription(tx, id, changed);
        return changed;
      }),
    /** Returns the activity in entries of the feed that the app subscribed to, in order. */
    matches: (appId: AppId, entries: readonly FeedEntry[]) =>
      matchActivities(deps, entries, (subscription) => subscription.appId === appId),
    /** Deletes those of the app's subscriptions that have one of these ids, and returns their ids. */
    delete: (appId: AppId, ids: readonly bigint[]) =>
      within('delete subscriptions', appId, (tx) => deleteActivitySubscriptions(tx, appId, ids)),
  };
}

async function subscribe(
  tx: Tx,
  { ids, clock, maxSubscriptions }: Deps,
  input: NewActivitySubscription,
): Promise<ActivitySubscription> {
  const { appId, userId, webhookId } = input;
  if (userId !== undefined && !(await findUser(tx, userId))) throw noUser(userId);
  if (webhookId !== undefined) await requireOwn(tx, appId, webhookId);
  await requireNoOther(tx, input);
  if ((await countActivitySubscriptions(tx, { appId })) >= maxSubscriptions) throw tooMany(maxSubscriptions);
  const nowMs = clock();
  const made = { ...input, id: ids.next<ActivitySubscriptionId>(), createdAtMs: nowMs, updatedAtMs: nowMs };
  await insertActivitySubscription(tx, made);
  return made;
}

/** Returns the app's subscription with the same subscriber, type, filter and webhook. */
export async function findSameSubscription(
  db: Queryable,
  wanted: NewActivitySubscription,
): Promise<ActivitySubscription | undefined> {
  const others = await listActivitySubscriptionsTo(db, wanted.appId, wanted.type, wanted.userId);
  const key = subscriptionKey(wanted);
  return others.find((other) => subscriptionKey(other) === key);
}

/** Throws 'conflict' if the same subscriber (a user, or the app) has another with the same type, filter and webhook. */
async function requireNoOther(
  tx: Tx,
  wanted: NewActivitySubscription,
  id?: ActivitySubscriptionId,
): Promise<void> {
  const same = await findSameSubscription(tx, wanted);
  if (!same || same.id === id) return;
  throw conflict(`The subscription [${same.id}] has the same event type, filter and webhook.`);
}

/** Creates the error for a subscription that the app does not have. */
export function noSubscription(id: ActivitySubscriptionId) {
  const parameter = 'subscription_id';
  return resourceNotFound({ resourceType: 'activity_subscription', parameter, value: String(id) });
}

function noUser(id: UserId) {
  return resourceNotFound({ resourceType: 'user', parameter: 'filter.user_id', value: String(id) });
}

function tooMany(max: number) {
  return forbidden(`The app may have ${String(max)} subscriptions to activity, and has as many.`);
}
