import { createAccountSubscriptionService } from '../services/activity/account-subscriptions.js';
import { createAccountProducer } from '../services/activity/account-producer.js';
import { createActivityProducer } from '../services/activity/activity-producer.js';
import { createActivitySubscriptionService } from '../services/activity/activity-subscriptions.js';
import type { Views } from '../views/views.js';
import type { Backend } from './backend.js';
import type { Config } from './config.js';

/** Creates the subscriptions to activity, and their deliveries to webhooks (docs/design/activity.md). */
export function openActivity(
  { activitySubscriptions: maxSubscriptions }: Pick<Config, 'activitySubscriptions'>,
  { engine, ids, clock }: Backend,
  views: Views,
) {
  return {
    activitySubscriptions: createActivitySubscriptionService({ engine, ids, clock, maxSubscriptions }),
    accountSubscriptions: createAccountSubscriptionService({ engine, clock, maxSubscriptions }),
    /** What is sent to webhooks. */
    producers: [
      createActivityProducer({ engine, clock }, views.activity),
      createAccountProducer({ engine, clock }, views.accountActivity),
    ],
  };
}
