import type { Migration } from './migration.js';

/** The words of names and usernames, in the order of bytes, for the search of users. A job adds those of stored users. */
export const userWords: Migration = {
  version: 30,
  name: 'user-words',
  statements: (ddl) => [
    `CREATE TABLE user_words (
      word ${ddl.binaryText} NOT NULL,
      user_id BIGINT NOT NULL,
      PRIMARY KEY (word, user_id)
    )${ddl.clustered}`,
    'CREATE INDEX user_words_by_user ON user_words (user_id, word)',
    `INSERT INTO jobs (id, kind, payload, unique_key, created_at, free_at, attempts, max_attempts)
      SELECT 30, 'index-users', '{}', 'index-users', 0, 0, 0, 10 WHERE EXISTS (SELECT 1 FROM users)`,
  ],
};
