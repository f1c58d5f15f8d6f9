import { expect, test } from 'vitest';
import { list, sql } from '../sql.js';
import { boundValues, textOf } from './binding.js';

test('a list is one parameter; a limit is an expression, since SQLite prepares a statement with a plain one at every run', () => {
  const query = sql`SELECT id FROM posts WHERE id IN ${list([1n, 2n])} ORDER BY id LIMIT ${20}`;
  expect(textOf(query)).toBe(
    'SELECT id FROM posts WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT +?',
  );
  expect(boundValues(query)).toEqual(['[1,2]', 20n]);
});
