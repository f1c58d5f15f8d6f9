import type { Migration } from './migration.js';

/**
 * Separates the actions of a user and of an operator on an account, and records the operator behind each password
 * reset link; NULL means the command line.
 */
export const accountAuthority: Migration = {
  version: 22,
  name: 'account-authority',
  statements: () => [
    'ALTER TABLE deactivated_users ADD COLUMN suspended INTEGER NOT NULL DEFAULT 0',
    'ALTER TABLE password_resets ADD COLUMN created_by BIGINT',
  ],
};
