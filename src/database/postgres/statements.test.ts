import { expect, test } from 'vitest';
import { list, rawSql, sql } from '../sql.js';
import { createStatements, textOf } from './statements.js';

test('parameters are numbered across fragments', () => {
  const query = sql`SELECT id FROM posts WHERE id > ${1n} AND ${sql`lang = ${'en'}`} LIMIT ${5}`;
  expect(textOf(query)).toBe('SELECT id FROM posts WHERE id > $1 AND lang = $2 LIMIT $3');
});

test('a list is one parameter whose type the column determines', () => {
  expect(textOf(sql`SELECT 1 FROM posts WHERE id IN ${list([])}`)).toBe(
    'SELECT 1 FROM posts WHERE id = ANY ($1)',
  );
  expect(textOf(sql`SELECT 1 FROM posts WHERE id NOT IN ${list([1n])}`)).toBe(
    'SELECT 1 FROM posts WHERE id <> ALL ($1)',
  );
  expect(() => textOf(sql`SELECT ${list([1n])}`)).toThrow(TypeError);
});

test('equal texts share a name across source lines; texts beyond the cache limit have none', () => {
  const statementOf = createStatements();
  const find = (id: bigint) => statementOf(sql`SELECT 1 FROM posts WHERE id = ${id}`);
  expect(find(1n)).toBe(find(2n));
  expect(statementOf(sql`SELECT 1 FROM posts WHERE id = ${3n}`).name).toBe(find(1n).name);
  for (let n = 0; n < 1_000; n += 1) statementOf(rawSql(`SELECT ${n}`));
  expect(statementOf(rawSql('SELECT 1001')).name).toBeUndefined();
  expect(find(4n).name).toBe(find(1n).name);
});
