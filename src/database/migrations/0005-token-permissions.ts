import type { Migration } from './migration.js';

/** OAuth 2.0 user tokens store their app's permission at issue time; older tokens follow their app. */
export const tokenPermissions: Migration = {
  version: 5,
  name: 'token-permissions',
  statements: () => [
    'ALTER TABLE bearer_tokens ADD COLUMN permission TEXT',
    'ALTER TABLE refresh_tokens ADD COLUMN permission TEXT',
  ],
};
