import type { Migration } from './migration.js';

/** The subscription of an account: absent without one. */
export const subscriptions: Migration = {
  version: 34,
  name: 'subscriptions',
  statements: () => ['ALTER TABLE users ADD COLUMN subscription_type TEXT'],
};
