import { EngineCounts } from '../engine-counts.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StorageUnavailable } from '../errors.js';
import type { Tx } from '../queryable.js';
import { sql } from '../sql.js';
import { silentLog } from '../storage-log.js';
import { createWatchers } from '../watchers.js';
import { openConnection, type Connection } from './connection.js';
import { Busy } from './driver-errors.js';
import { createGate } from '../gate.js';
import { createLock } from './lock.js';
import { createWriter } from './writer.js';

describe('the writer', () => {
  let connection: Connection;

  beforeEach(() => {
    connection = openConnection(':memory:', { readonly: false });
    connection.run(sql`CREATE TABLE notes (id INTEGER PRIMARY KEY)`);
  });

  afterEach(() => connection.close());

  const writerOn = (changed: Partial<Connection>, busyLimitMs = 1_000) =>
    createWriter({
      counts: new EngineCounts(),
      connection: Object.setPrototypeOf(changed, connection) as Connection,
      lock: createLock(),
      gate: createGate(true),
      sync: () => Promise.resolve(),
      watchers: createWatchers(),
      feed: { append: () => undefined, before: () => [] },
      onEvents: () => undefined,
      busyLimitMs,
      log: silentLog,
      onCommit: () => undefined,
    });

  const failingFirst = (times: number, work: () => void) => () => {
    times -= 1;
    if (times >= 0) throw new Busy('database is locked');
    work();
  };

  test('runs the body again when the commit meets a lock; its effects run once', async () => {
    const effects: number[] = [];
    let runs = 0;
    const tx = writerOn({ commit: failingFirst(2, connection.commit) });
    await tx('retried', async (inside) => {
      runs += 1;
      const run = runs;
      inside.afterCommit(() => effects.push(run));
      await inside.run(sql`INSERT INTO notes (id) VALUES (1)`);
    });
    expect(runs).toBe(3);
    expect(effects).toEqual([3]);
    expect(connection.readAll(sql`SELECT id FROM notes`)).toHaveLength(1);
  });

  test('runs the body once the lock of another process is released', async () => {
    let runs = 0;
    const tx = writerOn({ begin: failingFirst(6, connection.begin) });
    await tx('waits', async () => {
      runs += 1;
    });
    expect(runs).toBe(1);
  });

  test('retries although the body replaced the lock error', async () => {
    const tx = writerOn({ run: failingOnce(connection) });
    const changed = await tx('translated', (inside) =>
      inside.run(sql`INSERT INTO notes (id) VALUES (1)`).catch(() => {
        throw new Error('something else');
      }),
    );
    expect(changed).toBe(1);
  });

  const insert = (id: number) => (inside: Tx) => inside.run(sql`INSERT INTO notes (id) VALUES (${id})`);
  const ids = (): unknown[] => connection.readAll(sql`SELECT id FROM notes ORDER BY id`).map(({ id }) => id);

  test('transactions of one turn share a commit', async () => {
    let commits = 0;
    const tx = writerOn({
      commit: () => {
        commits += 1;
        connection.commit();
      },
    });
    await Promise.all([1, 2, 3].map((id) => tx('write', insert(id))));
    expect(commits).toBe(1);
    expect(ids()).toEqual([1n, 2n, 3n]);
  });

  test.each([[[1]], [[2]], [[3]], [[1, 2]], [[2, 3]], [[1, 2, 3]]])(
    'of those of one turn, only the ones that fail (%j) are rolled back',
    async (failing) => {
      const tx = writerOn({});
      const effects: number[] = [];
      const refusal = new Error('no');
      const writing = [1, 2, 3].map((id) =>
        tx('write', async (inside) => {
          inside.afterCommit(() => effects.push(id));
          await insert(id)(inside);
          if (failing.includes(id)) throw refusal;
          return id;
        }),
      );
      const kept = [1, 2, 3].filter((id) => !failing.includes(id));
      const results = await Promise.allSettled(writing);
      expect(results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason))).toEqual(
        [1, 2, 3].map((id) => (failing.includes(id) ? refusal : id)),
      );
      expect(effects).toEqual(kept);
      expect(ids()).toEqual(kept.map(BigInt));
    },
  );

  test('those of one turn fail together when their commit fails', async () => {
    const failure = new Error('the disk is gone');
    const tx = writerOn({
      commit: () => {
        throw failure;
      },
    });
    const results = await Promise.allSettled([1, 2].map((id) => tx('write', insert(id))));
    expect(results.map((result) => result.status === 'rejected' && result.reason)).toEqual([
      failure,
      failure,
    ]);
    expect(ids()).toEqual([]);
  });

  test('those of one turn fail together when SQLite rolls back more than the failed one', async () => {
    const tx = writerOn({});
    const writing = [
      tx('write', insert(1)),
      tx('fill', async (inside) => {
        connection.rollback();
        await inside.run(sql`INSERT INTO nowhere (id) VALUES (2)`);
      }),
      tx('write', insert(3)),
    ];
    for (const result of await Promise.allSettled(writing)) expect(result.status).toBe('rejected');
    expect(ids()).toEqual([]);
  });

  test('gives up with StorageUnavailable after the limit', async () => {
    const tx = writerOn({ begin: failingFirst(Infinity, connection.begin) }, 20);
    await expect(tx('locked', async () => undefined)).rejects.toThrow(StorageUnavailable);
  });
});

function failingOnce(connection: Connection): Connection['run'] {
  let hasFailed = false;
  return (query) => {
    if (hasFailed) return connection.run(query);
    hasFailed = true;
    throw new Busy('database is locked');
  };
}
