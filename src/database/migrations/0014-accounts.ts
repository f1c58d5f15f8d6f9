import type { Migration } from './migration.js';

/** Operators, invitations, password reset links, deactivated accounts, apps by owner. */
export const accounts: Migration = {
  version: 14,
  name: 'accounts',
  statements: (ddl) => [
    `CREATE TABLE operators (
      user_id ${ddl.idKey},
      since BIGINT NOT NULL
    )`,
    // Deactivated users are suspended too; this table distinguishes them from users suspended by an operator.
    `CREATE TABLE deactivated_users (
      user_id ${ddl.idKey},
      deactivated_at BIGINT NOT NULL
    )`,
    `CREATE TABLE invitations (
      code_hash TEXT PRIMARY KEY,
      note TEXT NOT NULL,
      created_by BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      used_by BIGINT
    )${ddl.clustered}`,
    `CREATE TABLE password_resets (
      token_hash TEXT PRIMARY KEY,
      user_id BIGINT NOT NULL,
      expires_at BIGINT NOT NULL
    )${ddl.clustered}`,
    'CREATE INDEX password_resets_user ON password_resets (user_id)',
    'CREATE INDEX apps_owner ON apps (owner_id)',
  ],
};
