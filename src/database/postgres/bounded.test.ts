import { expect, test } from 'vitest';
import { boundedSql, list, rawSql, sql } from '../sql.js';
import { isBounded } from './bounded.js';

test('a lookup of one table by one value or a list is bounded', () => {
  expect(isBounded(sql`SELECT id, name FROM users WHERE id = ${1n}`)).toBe(true);
  expect(
    isBounded(sql`
    SELECT id, name
    FROM users WHERE id IN ${list([1n, 2n])}`),
  ).toBe(true);
});

test('a statement that may read more is not bounded', () => {
  for (const query of [
    sql`SELECT COUNT(*) AS n FROM posts WHERE author_id = ${1n}`,
    sql`SELECT id FROM posts WHERE author_id = ${1n} ORDER BY id`,
    sql`SELECT id FROM posts WHERE id > ${1n}`,
    sql`SELECT id FROM posts WHERE author_id = ${1n} AND id = ${2n}`,
    sql`SELECT post_id FROM likes JOIN posts ON id = post_id WHERE user_id = ${1n}`,
    sql`SELECT id FROM (SELECT id FROM posts) WHERE id = ${1n}`,
    sql`UPDATE posts SET lang = NULL WHERE id = ${1n}`,
    sql`SELECT id FROM ${rawSql('posts')} WHERE id = ${1n}`,
    rawSql('SELECT 1'),
  ])
    expect(isBounded(query)).toBe(false);
});

test('a marked query is bounded', () => {
  expect(isBounded(boundedSql`SELECT id FROM posts WHERE author_id = ${1n} ORDER BY id LIMIT ${2}`)).toBe(
    true,
  );
});
