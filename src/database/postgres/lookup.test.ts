import { expect, test } from 'vitest';
import { list, rawSql, sql } from '../sql.js';
import { isLookup } from './lookup.js';

test('a lookup reads one table by one value or a list', () => {
  expect(isLookup(sql`SELECT id, name FROM users WHERE id = ${1n}`)).toBe(true);
  expect(
    isLookup(sql`
    SELECT id, name
    FROM users WHERE id IN ${list([1n, 2n])}`),
  ).toBe(true);
});

test('a statement that may read more is no lookup', () => {
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
    expect(isLookup(query)).toBe(false);
});
