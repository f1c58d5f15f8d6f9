import type { ActivityMatch } from '../../core/activity-event.js';
import type { FeedEntry } from '../../database/feed.js';
import type { ServiceDeps } from '../service-deps.js';
import type { NewDelivery, WebhookProducer } from '../webhooks/producer.js';
import { matchActivities } from './match-activities.js';

/** Returns an event as JSON; undefined if the subscriber may not see it. */
export type WriteActivity = (match: ActivityMatch) => Promise<string | undefined>;

/** Sends activity to the webhooks of its subscriptions. The events of a subscription arrive in order. */
export function createActivityProducer(
  deps: Pick<ServiceDeps, 'engine' | 'clock'>,
  write: WriteActivity,
): WebhookProducer {
  return {
    deliveriesFor: async (entries: readonly FeedEntry[]) => {
      const deliveries: NewDelivery[] = [];
      for (const match of await matchActivities(deps, entries, ({ webhookId }) => webhookId !== undefined)) {
        const { id, webhookId } = match.subscription;
        const body = await write(match);
        if (body === undefined || webhookId === undefined) continue;
        deliveries.push({ webhookId, subscription: `activity ${id}`, body });
      }
      return deliveries;
    },
  };
}
