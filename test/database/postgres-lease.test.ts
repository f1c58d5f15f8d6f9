import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { deferred } from '../../src/core/deferred.js';
import type { Engine } from '../../src/database/engine.js';
import { StorageUnavailable } from '../../src/database/errors.js';
import { openPostgres } from '../../src/database/postgres/engine.js';
import { RowCache } from '../../src/database/row-cache.js';
import { sql } from '../../src/database/sql.js';
import { seeded } from '../support/random-search.js';
import { steadyChanges } from '../support/steady-changes.js';
import { createPostgresDatabase } from '../support/test-database.js';
import { cutCommits } from './cut-commits.js';
import { insertNote, NOTES, textOfNote } from './notes.js';

/** How a process that is alone answers from its caches without asking the database (src/database/postgres/feed-lease.ts). */
describe.runIf(inject('postgres'))('the lease of the feed', () => {
  let url: string;
  let admin: pg.Client;
  let closing: (() => Promise<unknown>)[];
  /** Moves on by minutes, so that no process remembers that others have written. */
  let nowMs: number;

  beforeEach(async () => {
    nowMs = Date.now();
    const database = await createPostgresDatabase('nothing');
    url = database.url;
    closing = [database.remove];
    admin = new pg.Client({ connectionString: url });
    await admin.connect();
    closing.unshift(() => admin.end());
  });
  afterEach(async () => {
    for (const close of closing) await close();
  });

  /** Opens a process with a cache of the note 1. */
  const open = async (through = url) => {
    const engine = await openPostgres({
      url: through,
      durability: 'relaxed',
      clock: () => nowMs,
      migrations: NOTES,
      cachedTables: ['notes'],
    });
    closing.unshift(() => engine.close());
    const cache = new RowCache<bigint, string>(engine, ['notes'], 10);
    await steadyChanges(engine);
    return {
      engine,
      read: async () => {
        await engine.catchUp();
        return cache.read(1n, () => textOfNote(engine, 1n));
      },
    };
  };

  const write = (engine: Engine, text: string) =>
    engine.tx('write', (tx) => tx.run(sql`UPDATE notes SET text = ${text} WHERE id = ${1n}`));

  const stopTime = () => {
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    return () => clock.mockRestore();
  };

  /** Gives the lease to a process that does not exist, until the far future. */
  const leaseToOther = () =>
    admin.query(
      `SELECT setval('change_feed_lease_owner', 1), setval('change_feed_lease_end', CAST(1 AS BIGINT) << 62)`,
    );

  /** Returns when each process last sent a statement about the feed. */
  const asked = async () => {
    const { rows } = await admin.query<{ at: string }>(
      `SELECT CAST(query_start AS TEXT) AS at FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'pipit changes' ORDER BY pid`,
    );
    return rows.map(({ at }) => at);
  };

  test('a process that is alone asks once, also after a crash of the server, and then nothing until its lease ends', async () => {
    const one = await open();
    await admin.query(
      'ALTER SEQUENCE change_feed_lease_end RESTART; ALTER SEQUENCE change_feed_lease_owner RESTART',
    );
    const goOn = stopTime();
    closing.unshift(async () => goOn());
    const before = await vi.waitFor(async () => {
      const before = await asked();
      await one.read();
      expect(await asked()).toEqual(before);
      return before;
    }, 5_000);
    for (let count = 0; count < 100; count += 1) await one.read();
    expect(await asked()).toEqual(before);
    goOn();
    await vi.waitFor(async () => {
      await one.read();
      expect(await asked()).not.toEqual(before);
    });
  });

  test('while others write, each request asks', async () => {
    const [one, other] = [await open(), await open()];
    await one.engine.tx('write', (tx) => insertNote(tx, 1n, 'old'));
    await write(one.engine, 'new');
    await other.read();
    closing.unshift(async () => goOn());
    const goOn = stopTime();
    for (let round = 0; round < 3; round += 1) {
      const before = await asked();
      await other.read();
      expect(await asked()).not.toEqual(before);
    }
  });

  test('every process sees what another one wrote, whoever holds the lease', async () => {
    const random = seeded(4177);
    const processes = [await open(), await open(), await open()] as const;
    const any = () => processes[Math.floor(random() * processes.length)] ?? processes[0];
    await any().engine.tx('write', (tx) => insertNote(tx, 1n, 'text'));
    for (let round = 0; round < 60; round += 1) {
      nowMs += random() < 0.8 ? 61_000 : 1_000;
      for (let count = random() * 12; count > 0; count -= 1) await any().read();
      const text = `text ${round}`;
      await write(any().engine, text);
      expect(await Promise.all(processes.map(({ read }) => read()))).toEqual([text, text, text]);
    }
  });

  test('a commit whose connection was lost, and which takes effect later, is seen', async () => {
    const cut = await cutCommits(url);
    closing.splice(-1, 0, cut.close);
    const one = await open(cut.url);
    await one.engine.tx('write', (tx) => insertNote(tx, 1n, 'old'));
    closing.unshift(async () => goOn());
    const goOn = stopTime();
    for (let count = 0; count < 3; count += 1) await one.read();
    const arrival = deferred();
    cut.arm(arrival.promise);
    await expect(write(one.engine, 'new')).rejects.toThrow(StorageUnavailable);
    await leaseToOther();
    expect(await one.read()).toBe('old');
    arrival.resolve();
    await vi.waitFor(async () => expect(await textOfNote(one.engine, 1n)).toBe('new'), 5_000);
    expect(await one.read()).toBe('new');
  });

  test('a change by hand waits for the end of the lease too, and keeps others from taking it', async () => {
    const [one, other] = [await open(), await open()];
    await one.engine.tx('write', (tx) => insertNote(tx, 1n, 'old'));
    const readUntil = async (done: Promise<unknown>) => {
      let isDone = false;
      void done.finally(() => (isDone = true));
      while (!isDone) await one.read();
    };
    for (let round = 0; round < 15; round += 1) {
      nowMs += 61_000;
      for (let count = 0; count < 3; count += 1) await one.read();
      await readUntil(
        admin.query(
          `BEGIN; UPDATE notes SET text = 'by hand ${round}'; INSERT INTO change_feed (changes) VALUES ('*')`,
        ),
      );
      for (let count = 0; count < 3; count += 1) await one.read();
      await readUntil(admin.query('COMMIT'));
      expect(await one.read()).toBe(`by hand ${round}`);
      await write(other.engine, `text ${round}`);
      expect(await one.read()).toBe(`text ${round}`);
    }
  });

  test('an end in the far future, after the clock of the server was set back, delays one commit only', async () => {
    const one = await open();
    await one.engine.tx('write', (tx) => insertNote(tx, 1n, 'old'));
    await leaseToOther();
    await write(one.engine, 'new');
    const { rows } = await admin.query('SELECT last_value FROM change_feed_lease_end');
    expect(rows).toEqual([{ last_value: '0' }]);
    expect(await one.read()).toBe('new');
  });
});
