import type { Migration } from './migration.js';

/** How many requests each app made on each day, beside the posts that it was given. */
export const usageRequests: Migration = {
  version: 16,
  name: 'usage-requests',
  statements: () => ['ALTER TABLE usage_days ADD COLUMN requests BIGINT NOT NULL DEFAULT 0'],
};
