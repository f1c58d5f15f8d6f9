import { describe, expect, test } from 'vitest';
import { ChangeSet, effectOf, type Change } from './effect.js';
import { list, sql, statement, type Sql } from './sql.js';

function changesOf(...queries: readonly Sql[]): (Change | 'unknown')[] {
  const changes = new ChangeSet();
  for (const query of queries) changes.add(effectOf(query), query.params, 1);
  return [...changes];
}

describe('the changes of a statement', () => {
  test.each([
    ['a read', sql`SELECT * FROM posts WHERE id = ${1n}`],
    ['a read with a common table', sql`WITH x AS (SELECT 1) SELECT * FROM x`],
    ['a lock', sql`UPDATE user_counts SET followers = followers WHERE user_id = ${1n}`],
    ['a new row that no cache misses', sql`INSERT INTO posts (id) VALUES (${1n}) ON CONFLICT DO NOTHING`],
  ])('%s: none', (_what, query) => {
    expect(changesOf(query)).toEqual([]);
  });

  test('a statement that changes no row: none, unless its effect is unknown', () => {
    const changes = new ChangeSet();
    const change = sql`DELETE FROM posts`;
    changes.add(effectOf(change), change.params, 0);
    expect([...changes]).toEqual([]);
    const other = sql`DROP TABLE posts`;
    changes.add(effectOf(other), other.params, 0);
    expect([...changes]).toEqual(['unknown']);
  });

  test.each([
    ['a writing common table', sql`WITH x AS (SELECT 1) DELETE FROM posts`],
    ['other statements', sql`DROP TABLE posts`],
  ])('%s: unknown', (_what, query) => {
    expect(changesOf(query)).toEqual(['unknown']);
  });

  test.each([
    [
      'an update by key',
      sql`\n UPDATE Users SET name = ${'a'} WHERE id = ${7n}`,
      'users',
      'update',
      [7n],
      {},
    ],
    [
      'a list of keys',
      sql`UPDATE posts SET text = '' WHERE id IN ${list([1n, 2n])}`,
      'posts',
      'update',
      [1n, 2n],
      {},
    ],
    [
      'a deleted row',
      sql`DELETE FROM user_posts WHERE user_id = ${7n} AND post_id = ${8n}`,
      'user_posts',
      'delete',
      [7n],
      { post_id: 8n },
    ],
    [
      'a row deleted under a further condition',
      sql`DELETE FROM user_posts WHERE user_id = ${7n} AND post_id = ${8n} AND is_reply = 1`,
      'user_posts',
      'delete',
      [7n],
      {},
    ],
    [
      'a new row',
      statement(`INSERT INTO user_posts (user_id, created_at, post_id)
       VALUES (?, 0, ?) ON CONFLICT DO NOTHING`)(7n, 8n),
      'user_posts',
      'insert',
      [7n],
      { post_id: 8n },
    ],
    [
      'an upsert by key',
      sql`INSERT INTO post_counts (post_id, likes) VALUES (${8n}, 1)
        ON CONFLICT (post_id) DO UPDATE SET likes = likes + ${1}`,
      'post_counts',
      'update',
      [8n],
      {},
    ],
  ])('%s: by key', (_what, query, table, kind, keys, row) => {
    expect(changesOf(query)).toEqual([{ table, kind, keys, row }]);
  });

  test.each([
    ['no condition', sql`DELETE FROM posts`, 'posts', 'delete'],
    ['an alternative', sql`DELETE FROM mutes WHERE user_id = ${1n} OR target_id = ${1n}`, 'mutes', 'delete'],
    ['a negation', sql`DELETE FROM mutes WHERE NOT (user_id = ${1n})`, 'mutes', 'delete'],
    ['a range', sql`DELETE FROM mutes WHERE user_id <= ${1n}`, 'mutes', 'delete'],
    [
      'a query',
      sql`DELETE FROM posts WHERE id IN (SELECT post_id FROM x WHERE id = ${1n})`,
      'posts',
      'delete',
    ],
    ['a new key', sql`UPDATE follows SET user_id = ${2n} WHERE user_id = ${1n}`, 'follows', 'update'],
    ['another column', sql`DELETE FROM user_posts WHERE post_id = ${1n}`, 'user_posts', 'delete'],
    ['a key of another type', sql`UPDATE users SET name = '' WHERE id = ${'7'}`, 'users', 'update'],
    [
      'a table without a key',
      sql`UPDATE bearer_tokens SET family = ${'a'} WHERE app_id = ${1n}`,
      'bearer_tokens',
      'update',
    ],
    [
      'rows from a query',
      sql`INSERT INTO follows (user_id) SELECT id FROM users WHERE id = ${1n}`,
      'follows',
      'insert',
    ],
    ['several rows', sql`INSERT INTO follows (user_id) VALUES (${1n}), (${2n})`, 'follows', 'insert'],
    [
      'an upsert by another column',
      sql`INSERT INTO users (id, username) VALUES (${1n}, 'a') ON CONFLICT (username) DO UPDATE SET name = ''`,
      'users',
      'update',
    ],
    ['a replacement', sql`REPLACE INTO posts (id) VALUES (${1n})`, 'posts', 'update'],
  ])('%s: the whole table', (_what, query, table) => {
    expect(changesOf(query)).toEqual([{ table, kind: 'update' }]);
  });

  test.each([
    [
      'an addition',
      sql`UPDATE user_counts SET posts = posts + ${2} WHERE user_id = ${1n}`,
      { column: 'posts', by: 2 },
    ],
    [
      'another row',
      sql`UPDATE user_counts SET posts = posts + ${2} WHERE user_id = ${1n} AND posts > 0`,
      undefined,
    ],
    ['another column', sql`UPDATE user_counts SET posts = listed + ${2} WHERE user_id = ${1n}`, undefined],
    [
      'two columns',
      sql`UPDATE user_counts SET posts = posts + ${2}, listed = 0 WHERE user_id = ${1n}`,
      undefined,
    ],
    ['a subtraction', sql`UPDATE user_counts SET posts = posts - ${2} WHERE user_id = ${1n}`, undefined],
  ])('the new count after %s', (_what, query, increment) => {
    const [change] = changesOf(query);
    expect(change).toMatchObject({ table: 'user_counts', keys: [1n] });
    expect(typeof change === 'object' && change.increment).toEqual(increment);
  });

  test('a change of a whole table includes those by key, and so do very many', () => {
    const keyed = (id: bigint) => sql`DELETE FROM posts WHERE id = ${id}`;
    const whole = [{ table: 'posts', kind: 'update' }];
    expect(changesOf(keyed(1n), sql`DELETE FROM posts`, keyed(2n))).toEqual(whole);
    expect(changesOf(...Array.from({ length: 1_001 }, (_, n) => keyed(BigInt(n))))).toEqual(whole);
  });
});
