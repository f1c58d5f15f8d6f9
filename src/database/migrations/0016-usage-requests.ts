import type { Migration } from './migration.js';

/** The number of requests of each app per day, beside the posts returned to it. */
export const usageRequests: Migration = {
  version: 16,
  name: 'usage-requests',
  statements: () => ['ALTER TABLE usage_days ADD COLUMN requests BIGINT NOT NULL DEFAULT 0'],
};
