import { expect, test } from 'vitest';
import { boundedSql, sql, type Sql } from '../sql.js';
import type { Answer } from './connections.js';
import { createReads } from './reads.js';

/** Reads whose connections note the statements that they are given, and fail those that select `wrong`. */
function createNotedReads() {
  const connections: string[][] = [];
  const run = (texts: string[], { strings }: Sql): Promise<Answer> => {
    texts.push(strings.join('?'));
    if (strings.join().includes('wrong')) return Promise.reject(new Error('no such column'));
    return Promise.resolve({ rows: [], changed: 0, effect: 'none', mayHaveWritten: false });
  };
  const reads = createReads(
    {
      use: (work) => {
        const texts: string[] = [];
        connections.push(texts);
        return work({
          run: (query) => run(texts, query),
          explain: () => Promise.resolve([]),
          command: () => Promise.resolve(),
        });
      },
    },
    1_000,
  );
  return { reads, connections };
}

test('bounded reads that begin together share a connection, others have one of their own', async () => {
  const { reads, connections } = createNotedReads();
  const page = (limit: number): Sql => boundedSql`SELECT id FROM likes WHERE user_id = ${1n} LIMIT ${limit}`;
  await Promise.all([reads.all(page(1)), reads.get(sql`SELECT COUNT(*) FROM likes`), reads.all(page(2))]);
  const text = 'SELECT id FROM likes WHERE user_id = ? LIMIT ?';
  expect(connections).toEqual([['SELECT COUNT(*) FROM likes'], [text, text]]);
});

test('at most sixteen reads share a connection', async () => {
  const { reads, connections } = createNotedReads();
  await Promise.all(Array.from({ length: 40 }, () => reads.all(boundedSql`SELECT 1`)));
  expect(connections.map(({ length }) => length)).toEqual([16, 16, 8]);
});

test('a failed read does not fail those that share its connection', async () => {
  const { reads } = createNotedReads();
  const [wrong, right] = await Promise.allSettled([
    reads.all(boundedSql`SELECT wrong`),
    reads.all(boundedSql`SELECT 1`),
  ]);
  expect(wrong).toMatchObject({ status: 'rejected', reason: new Error('no such column') });
  expect(right).toEqual({ status: 'fulfilled', value: [] });
});
