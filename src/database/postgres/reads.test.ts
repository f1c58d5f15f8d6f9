import { expect, test } from 'vitest';
import { deferred } from '../../core/deferred.js';
import { sql, sqlIn, type Sql } from '../sql.js';
import type { Answer } from './connections.js';
import { createReads } from './reads.js';

const NOTHING: Answer = { rows: [], changed: 0, effect: 'none', mayHaveWritten: false };

/** Reads whose connections note the statements that they are given, and answer as `answer` says. */
function createNotedReads(answer: (text: string) => Promise<Answer>) {
  const connections: string[][] = [];
  const reads = createReads(
    {
      use: (work) => {
        const texts: string[] = [];
        connections.push(texts);
        const run = ({ strings }: Sql): Promise<Answer> => {
          const text = strings.join('?');
          texts.push(text);
          return answer(text);
        };
        return work({ run, explain: () => Promise.resolve([]), command: () => Promise.resolve() });
      },
    },
    1_000,
  );
  return { reads, connections };
}

test('reads of one lane that begin together share a connection, others have one of their own', async () => {
  const { reads, connections } = createNotedReads(() => Promise.resolve(NOTHING));
  await Promise.all([
    reads.all(sqlIn('edges')`SELECT a`),
    reads.all(sql`SELECT b`),
    reads.all(sqlIn('search')`SELECT c`),
    reads.get(sqlIn('edges')`SELECT d`),
    reads.get(sql`SELECT e`),
  ]);
  const expected = [['SELECT b'], ['SELECT e'], ['SELECT a', 'SELECT d'], ['SELECT c']];
  expect(connections.sort()).toEqual(expected.sort());
});

test('at most eight reads share a connection', async () => {
  const { reads, connections } = createNotedReads(() => Promise.resolve(NOTHING));
  await Promise.all(Array.from({ length: 20 }, () => reads.all(sqlIn('edges')`SELECT a`)));
  expect(connections.map(({ length }) => length)).toEqual([8, 8, 4]);
});

test('a failed read does not fail those behind it on its connection', async () => {
  const slow = deferred<Answer>();
  const { reads, connections } = createNotedReads((text) =>
    text === 'SELECT wrong' ? Promise.reject(new Error('no such column')) : slow.promise,
  );
  const wrong = reads.all(sqlIn('edges')`SELECT wrong`);
  const right = reads.all(sqlIn('edges')`SELECT a`);
  await expect(wrong).rejects.toThrow('no such column');
  slow.resolve({ ...NOTHING, rows: [{ id: 1n }] });
  expect(await right).toEqual([{ id: 1n }]);
  expect(connections).toHaveLength(1);
});
