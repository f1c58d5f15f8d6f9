import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StorageUnavailable } from '../errors.js';
import { sql } from '../sql.js';
import { silentLog } from '../storage-log.js';
import { createWatchers } from '../watchers.js';
import { openConnection, type Connection } from './connection.js';
import { Busy } from './driver-errors.js';
import { createGate } from '../gate.js';
import { createRelaxedCommit } from './group-commit.js';
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
      connection: Object.setPrototypeOf(changed, connection) as Connection,
      lock: createLock(),
      gate: createGate(true),
      groupCommit: createRelaxedCommit(),
      watchers: createWatchers(),
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
