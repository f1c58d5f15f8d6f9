import type { Migration } from './migration.js';

/**
 * Keeps apart what a user and what an operator did to an account, and names the operator behind each link to a new
 * password; NULL stands for the command line.
 */
export const accountAuthority: Migration = {
  version: 22,
  name: 'account-authority',
  statements: () => [
    'ALTER TABLE deactivated_users ADD COLUMN suspended INTEGER NOT NULL DEFAULT 0',
    'ALTER TABLE password_resets ADD COLUMN created_by BIGINT',
  ],
};
