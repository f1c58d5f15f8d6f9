import type { Migration } from './migration.js';

/**
 * Browser sessions, the state of OAuth flows between their steps, and the token families of consents. An app's
 * assigned bearer token is stored sealed, so that it can be returned again.
 */
export const webSessions: Migration = {
  version: 10,
  name: 'web-sessions',
  statements: (ddl) => [
    `CREATE TABLE web_sessions (
      token_hash TEXT PRIMARY KEY,
      user_id BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      seen_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      user_agent TEXT
    )${ddl.clustered}`,
    'CREATE INDEX web_sessions_user ON web_sessions (user_id)',
    `CREATE TABLE authorization_codes (
      code_hash TEXT PRIMARY KEY,
      app_id BIGINT NOT NULL,
      user_id BIGINT NOT NULL,
      redirect_uri TEXT NOT NULL,
      scopes TEXT NOT NULL,
      code_challenge TEXT NOT NULL,
      challenge_method TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      redeemed_at BIGINT
    )${ddl.clustered}`,
    // user_id and verifier_hash: NULL until a user consents. failures: wrong verifiers submitted.
    `CREATE TABLE request_tokens (
      token TEXT PRIMARY KEY,
      app_id BIGINT NOT NULL,
      secret_sealed TEXT NOT NULL,
      callback TEXT NOT NULL,
      permission TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      user_id BIGINT,
      verifier_hash TEXT,
      failures INTEGER NOT NULL
    )${ddl.clustered}`,
    // All tokens that descend from one consent share a family: the hash of the code or token that was first
    // exchanged.
    'ALTER TABLE bearer_tokens ADD COLUMN family TEXT',
    'ALTER TABLE refresh_tokens ADD COLUMN family TEXT',
    'CREATE INDEX bearer_tokens_family ON bearer_tokens (family)',
    'CREATE INDEX refresh_tokens_family ON refresh_tokens (family)',
    ...['bearer_tokens', 'refresh_tokens', 'oauth1_tokens'].map(
      (table) => `CREATE INDEX ${table}_user ON ${table} (user_id)`,
    ),
    'ALTER TABLE apps ADD COLUMN bearer_sealed TEXT',
  ],
};
