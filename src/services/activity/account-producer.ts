import { ACCOUNT_ACTIVITY_RULE } from '../../core/activity.js';
import type { ActivityEvent } from '../../core/activity-event.js';
import type { FeedEvent } from '../../core/feed-event.js';
import type { UserId, WebhookId } from '../../core/ids.js';
import type { FeedEntry } from '../../database/feed.js';
import { listAccountSubscriptionsOf, type AccountSubscription } from '../../stores/account-subscriptions.js';
import type { ServiceDeps } from '../service-deps.js';
import type { NewDelivery, WebhookProducer } from '../webhooks/producer.js';
import { activityEvents } from './match-activities.js';
import { loadSubscriberAccess } from './subscriber-access.js';

type Deps = Pick<ServiceDeps, 'engine' | 'clock'>;

/** Returns an event as JSON of v1.1 for a user; undefined if there is none, or the user may not see it. */
export type WriteAccountActivity = (event: ActivityEvent, userId: UserId) => Promise<string | undefined>;

/** Sends what happens on accounts to the webhooks that they subscribed to. That of a user arrives in order. */
export function createAccountProducer(deps: Deps, write: WriteAccountActivity): WebhookProducer {
  return {
    deliveriesFor: async (entries: readonly FeedEntry[]) => [
      ...(await activityDeliveries(deps, entries, write)),
      ...entries.flatMap(({ atMs, events }) => events.flatMap((event) => revocations(event, atMs))),
    ],
  };
}

async function activityDeliveries(
  { engine, clock }: Deps,
  entries: readonly FeedEntry[],
  write: WriteAccountActivity,
): Promise<NewDelivery[]> {
  const events = await activityEvents(engine, entries);
  const users = new Set(events.flatMap(({ outbound, inbound }) => [...outbound, ...inbound]));
  const subscriptions = await listAccountSubscriptionsOf(engine, [...users]);
  const found = matches(events, subscriptions);
  const mayReceive = await loadSubscriberAccess(
    engine,
    found.map(({ subscription }) => subscription),
    clock(),
  );
  const deliveries: NewDelivery[] = [];
  for (const { event, subscription } of found) {
    if (!mayReceive(subscription, ACCOUNT_ACTIVITY_RULE)) continue;
    const { webhookId, userId } = subscription;
    const body = await write(event, userId);
    if (body !== undefined) deliveries.push({ webhookId, subscription: laneOf(userId), body });
  }
  return deliveries;
}

function laneOf(userId: UserId): string {
  return `account ${userId}`;
}

/**
 * Returns the events with the subscriptions of their users. What is several kinds of activity at once, such as a reply
 * that mentions, comes once for a user.
 */
function matches(events: readonly ActivityEvent[], subscriptions: readonly AccountSubscription[]) {
  const known = new Set<string>();
  return events.flatMap((event) => {
    const users = new Set([...event.outbound, ...event.inbound]);
    return subscriptions.flatMap((subscription) => {
      const { webhookId, userId, createdAtMs } = subscription;
      const key = `${webhookId} ${userId} ${identityOf(event)}`;
      if (event.atMs < createdAtMs || !users.has(userId) || known.has(key)) return [];
      known.add(key);
      return [{ event, subscription }];
    });
  });
}

function identityOf({ subject, uuid }: ActivityEvent): string {
  if (subject.kind === 'post') return `post ${subject.postId}`;
  return subject.kind === 'message' ? `message ${subject.eventId}` : uuid;
}

/** Returns the last messages for a user who disconnected the app, whose subscriptions have ended. */
function revocations(event: FeedEvent, atMs: number): NewDelivery[] {
  if (event.kind !== 'app-disconnected') return [];
  const { userId, appId, webhooks } = event;
  const revoke = {
    date_time: new Date(atMs).toISOString().replace(/\.[0-9]+Z$/, '+00:00'),
    target: { app_id: String(appId) },
    source: { user_id: String(userId) },
  };
  const body = JSON.stringify({ user_event: { revoke } });
  return webhooks.map((id) => ({ webhookId: BigInt(id) as WebhookId, subscription: laneOf(userId), body }));
}
