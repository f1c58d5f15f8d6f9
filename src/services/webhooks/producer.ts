import type { FeedEntry } from '../../database/feed.js';
import type { AddedDelivery } from '../../stores/webhook-deliveries.js';

/** A message to a webhook. Those of a webhook with the same `subscription` arrive in order. `body` is JSON. */
export type NewDelivery = Pick<AddedDelivery, 'webhookId' | 'subscription' | 'body'>;

/** Decides which messages follow from what happened (docs/design/webhooks.md#producers). */
export interface WebhookProducer {
  /**
   * Returns the deliveries for entries of the feed, in order. It may be called again with the same entries. Deliveries
   * to webhooks that are invalid or deleted are left out by the caller.
   */
  deliveriesFor(entries: readonly FeedEntry[]): Promise<readonly NewDelivery[]>;
}
