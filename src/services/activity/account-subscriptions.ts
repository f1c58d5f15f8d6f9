import type { UserPrincipal } from '../../core/access.js';
import { invalidRequest, type PipitError } from '../../core/errors.js';
import type { AppId, UserId, WebhookId } from '../../core/ids.js';
import {
  countAccountSubscriptions,
  deleteAccountSubscription,
  hasAccountSubscription,
  insertAccountSubscription,
  listSubscribedUsers,
} from '../../stores/account-subscriptions.js';
import { lockApp } from '../../stores/locks.js';
import type { ServiceDeps } from '../service-deps.js';
import { requireOwn } from '../webhooks/own-webhook.js';

interface Deps extends Pick<ServiceDeps, 'engine' | 'clock'> {
  /** The most subscriptions of an app. */
  readonly maxSubscriptions: number;
}

/** Account activity of users, delivered to webhooks in the format of v1.1 (docs/api/activity.md#account-activity). */
export type AccountSubscriptionService = ReturnType<typeof createAccountSubscriptionService>;

/** Every method with a webhook throws 'invalid-request' (WebhookIdInvalid) if it is not the app's. */
export function createAccountSubscriptionService({ engine, clock, maxSubscriptions }: Deps) {
  return {
    maxSubscriptions,
    count: (appId: AppId) => countAccountSubscriptions(engine, appId),
    /** Subscribes to the own account. Throws 'invalid-request' for a duplicate, and if the app has too many. */
    subscribe: ({ app, userId }: UserPrincipal, id: WebhookId): Promise<void> =>
      engine.tx('subscribe to account', async (tx) => {
        await lockApp(tx, app.id);
        await requireOwn(tx, app.id, id);
        if (await hasAccountSubscription(tx, id, userId)) throw duplicate(userId);
        if ((await countAccountSubscriptions(tx, app.id)) >= maxSubscriptions)
          throw tooMany(id, maxSubscriptions);
        await insertAccountSubscription(tx, id, userId, app.id, BigInt(clock()));
      }),
    /** Reports whether the own account is subscribed to. */
    isSubscribed: async ({ app, userId }: UserPrincipal, id: WebhookId): Promise<boolean> => {
      await requireOwn(engine, app.id, id);
      return hasAccountSubscription(engine, id, userId);
    },
    /** Returns the webhook and the subscribed users. */
    listOf: async (appId: AppId, id: WebhookId) => ({
      webhook: await requireOwn(engine, appId, id),
      userIds: await listSubscribedUsers(engine, id),
    }),
    /** Throws 'invalid-request' if there is no such subscription. */
    unsubscribe: (appId: AppId, id: WebhookId, userId: UserId): Promise<void> =>
      engine.tx('unsubscribe from account', async (tx) => {
        await requireOwn(tx, appId, id);
        if (!(await deleteAccountSubscription(tx, id, userId))) throw notFound(userId);
      }),
  };
}

function refused(
  reason: string,
  parameter: 'webhook_id' | 'user_id',
  value: bigint,
  detail: string,
): PipitError {
  return invalidRequest(parameter, [String(value)], `${reason}: ${detail}`);
}

function duplicate(userId: UserId): PipitError {
  return refused(
    'DuplicateSubscriptionFailed',
    'user_id',
    userId,
    'The webhook has a subscription of the user.',
  );
}

function tooMany(id: WebhookId, max: number): PipitError {
  return refused(
    'SubscriptionLimitExceeded',
    'webhook_id',
    id,
    `The app may have ${String(max)} subscriptions.`,
  );
}

function notFound(userId: UserId): PipitError {
  return refused('SubscriptionNotFound', 'user_id', userId, 'The webhook has no subscription of the user.');
}
