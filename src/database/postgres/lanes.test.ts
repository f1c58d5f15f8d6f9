import { expect, test } from 'vitest';
import { list, rawSql, sql, sqlIn } from '../sql.js';
import { laneOf } from './lanes.js';

test('a lookup reads one table by one value or a list', () => {
  expect(laneOf(sql`SELECT id, name FROM users WHERE id = ${1n}`)).toBe('lookup');
  expect(
    laneOf(sql`
    SELECT id, name
    FROM users WHERE id IN ${list([1n, 2n])}`),
  ).toBe('lookup');
});

test('a statement that may read more has no lane', () => {
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
    expect(laneOf(query)).toBeUndefined();
});

test('a query may name its lane', () => {
  expect(laneOf(sqlIn('home')`SELECT id FROM posts WHERE id = ${1n}`)).toBe('home');
});
