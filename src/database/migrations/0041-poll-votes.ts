import type { Migration } from './migration.js';

/** The option that each user chose in a poll. */
export const pollVotes: Migration = {
  version: 41,
  name: 'poll-votes',
  statements: (ddl) => [
    `CREATE TABLE poll_votes (
      poll_id BIGINT NOT NULL,
      user_id BIGINT NOT NULL,
      option_number INTEGER NOT NULL,
      PRIMARY KEY (poll_id, user_id)
    )${ddl.clustered}`,
    'CREATE INDEX poll_votes_user ON poll_votes (user_id)',
  ],
};
