import { expect, it, vi } from 'vitest';
import { rawSql, sql } from '../database/sql.js';
import { mergeSlowStatements, SlowStatements } from './slow-statements.js';

/** Returns slow statements with a clock in hands of the test, and what they log. */
function create() {
  const lines: { readonly statement: string; readonly count: number; readonly plan?: string }[] = [];
  const state = { nowMs: 0 };
  const slow = new SlowStatements({
    slowMs: 0,
    log: { warn: (fields) => void lines.push(fields as (typeof lines)[number]) },
    clock: () => state.nowMs,
  });
  return {
    slow,
    lines,
    state,
    run: (query = sql`SELECT ${'secret'}  AS a`) => slow.watch.ended(query, 0, 3),
  };
}

it('a statement is logged without values once in five minutes, with its plan', async () => {
  const { slow, lines, state, run } = create();
  slow.explainWith({ explain: async () => ['SCAN a', '  SCAN b'] });
  for (let count = 0; count < 3; count += 1) run();
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  expect(lines[0]).toMatchObject({ statement: 'SELECT ? AS a', rows: 3, plan: 'SCAN a\n  SCAN b' });
  state.nowMs = 5 * 60_000;
  run();
  await vi.waitFor(() => expect(lines).toHaveLength(2));
  expect(lines[1]?.count).toBe(4);
  expect(slow.list()).toEqual([expect.objectContaining({ statement: 'SELECT ? AS a', count: 4 })]);
});

it('a statement whose plan cannot be read is logged without it', async () => {
  const { slow, lines, run } = create();
  slow.explainWith({ explain: () => Promise.reject(new Error('gone')) });
  run();
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  expect(lines[0]?.plan).toBeUndefined();
});

it('the hundred statements that were slow last are kept, each up to 2,000 characters', () => {
  const { slow, run } = create();
  for (let index = 0; index < 150; index += 1)
    slow.watch.ended(rawSql(`SELECT ${index} ${'x'.repeat(3_000)}`), 0, 0);
  run();
  expect(slow.list()).toHaveLength(100);
  expect(slow.list().map(({ statement }) => statement)).toContain('SELECT ? AS a');
  for (const { statement } of slow.list()) expect(statement.length).toBeLessThanOrEqual(2_000);
});

it('the lists of several processes are added up', () => {
  const one = { statement: 'a', count: 1, longestMs: 9, totalMs: 9, rows: 1, lastAtMs: 5, plan: ['p'] };
  const other = { statement: 'a', count: 2, longestMs: 7, totalMs: 12, rows: 2, lastAtMs: 8 };
  const longest = { ...one, statement: 'b', totalMs: 100 };
  expect(mergeSlowStatements([one, other, longest])).toEqual([
    longest,
    { statement: 'a', count: 3, longestMs: 9, totalMs: 21, rows: 2, lastAtMs: 8, plan: ['p'] },
  ]);
});
