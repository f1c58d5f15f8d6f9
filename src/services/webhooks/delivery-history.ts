import { PipitError } from '../../core/errors.js';
import type { AppId, DeliveryId, WebhookId } from '../../core/ids.js';
import type { Signal } from '../../core/loop.js';
import {
  addDeliveries,
  findDelivery,
  listRecentDeliveries,
  type Delivery,
} from '../../stores/webhook-deliveries.js';
import type { ServiceDeps } from '../service-deps.js';
import { requireOwn } from './own-webhook.js';

/** A delivery as shown to the owner of the app. */
export type ShownDelivery = Delivery;

/** How many deliveries are shown. */
const SHOWN = 20;

interface HistoryDeps extends Pick<ServiceDeps, 'engine' | 'clock'> {
  readonly registered: Signal;
}

/** What was sent to the webhooks of an app, for its owner. */
export type DeliveryHistory = ReturnType<typeof createDeliveryHistory>;

export function createDeliveryHistory({ engine, clock, registered }: HistoryDeps) {
  return {
    /** Returns the last deliveries to a webhook, newest first. */
    recentOf: (webhookId: WebhookId): Promise<Delivery[]> => listRecentDeliveries(engine, webhookId, SHOWN),
    /**
     * Sends an ended delivery once more, without waiting for others. Throws 'route-not-found' if it is unknown, of
     * another app or waits, and 'invalid-request' if its webhook was deleted.
     */
    repeat: async (appId: AppId, id: DeliveryId): Promise<void> => {
      await engine.tx('repeat delivery', async (tx) => {
        const delivery = await findDelivery(tx, id);
        if (delivery?.endedAtMs === undefined) throw new PipitError({ code: 'route-not-found' });
        const { webhookId, body } = delivery;
        await requireOwn(tx, appId, webhookId);
        const copy = { webhookId, body, subscription: `repeat ${id}`, createdAtMs: clock(), isCopy: true };
        await addDeliveries(tx, [copy]);
      });
      registered.notify();
    },
  };
}
