import { expect, test } from 'vitest';
import type { Tx } from './engine.js';
import { insertRows } from './table.js';
import type { Sql } from './sql.js';

test('rows are inserted once and in order, with few statements and few distinct texts', async () => {
  const statements: Sql[] = [];
  const tx = {
    run: (statement: Sql) => Promise.resolve(statements.push(statement)),
  } as Partial<Tx> as Tx;
  const add = insertRows('INSERT INTO notes (id, text)', 2, 'ON CONFLICT DO NOTHING');
  const rows = Array.from({ length: 256 + 32 + 8 + 8 + 4 }, (_unused, n) => [n, `note ${n}`]);

  await add(tx, rows);

  expect(statements.flatMap(({ params }) => params)).toEqual(rows.flat());
  expect(statements.map(({ params }) => params.length / 2)).toEqual([256, 32, 8, 8, 4]);
  expect(statements[3]?.strings).toBe(statements[2]?.strings);
  expect(statements[4]?.strings.join('?')).toBe(
    'INSERT INTO notes (id, text) VALUES (?, ?), (?, ?), (?, ?), (?, ?) ON CONFLICT DO NOTHING',
  );
});

test('inserting no rows runs no statement', async () => {
  const tx = { run: () => Promise.reject(new Error('called')) } as Partial<Tx> as Tx;
  await expect(insertRows('INSERT INTO notes (id)', 1)(tx, [])).resolves.toBeUndefined();
});
