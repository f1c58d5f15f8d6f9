import pg from 'pg';
import { beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import type { PostId, UserId } from '../../src/core/ids.js';
import type { Engine } from '../../src/database/engine.js';
import { openPostgres } from '../../src/database/postgres/engine.js';
import { sql } from '../../src/database/sql.js';
import { administer } from '../support/postgres.js';
import { createPostgresDatabase } from '../support/test-database.js';

/** How processes on PostgreSQL hear of commits; the contract of all engines is in feed.cases.ts. */
describe.runIf(inject('postgres'))('the feed of processes on PostgreSQL', () => {
  let url: string;

  beforeEach(async () => {
    const database = await createPostgresDatabase('schema');
    url = database.url;
    onTestFinished(database.remove);
  });

  const open = async (log?: { warn(fields: object, message: string): void }): Promise<Engine> => {
    const engine = await openPostgres({ url, durability: 'relaxed', ...(log && { log }) });
    onTestFinished(() => engine.close());
    return engine;
  };

  const commit = (engine: Engine, number: bigint) =>
    engine.tx('write', async (tx) => {
      await tx.run(sql`INSERT INTO media_usage (user_id, size_bytes) VALUES (${number}, ${1})`);
      tx.emit({ kind: 'post-made', postId: number as PostId, authorId: 1n as UserId });
    });

  const subscribe = (engine: Engine, after: bigint): bigint[] => {
    const received: bigint[] = [];
    const { signal } = new AbortController();
    void engine.feed.subscribe({ after, signal }, (entries) => {
      for (const { events } of entries)
        for (const event of events) if (event.kind === 'post-made') received.push(event.postId);
    });
    return received;
  };

  const listeners = async (): Promise<number> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'pipit feed'`,
    );
    await client.end();
    return rows.length;
  };

  test('no commit passes one that has its position already', async () => {
    const [one, other] = [await open(), await open()];
    const start = await one.feed.position();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    // The commit of event 1 waits for a lock of the test.
    const held = 42;
    await client.query(`SELECT pg_advisory_lock(${held});
      CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_advisory_xact_lock(${held});
        RETURN NULL;
      END $$;
      CREATE CONSTRAINT TRIGGER hold AFTER INSERT ON change_feed DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.events LIKE '%"postId":"1"%') EXECUTE FUNCTION hold()`);
    onTestFinished(() => administer(url, 'DROP FUNCTION hold CASCADE'));
    const waiting = async (count: number): Promise<void> => {
      const { rows } =
        await client.query(`SELECT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database
        WHERE NOT l.granted AND l.locktype = 'advisory' AND d.datname = current_database()`);
      expect(rows).toHaveLength(count);
    };
    const first = commit(one, 1n);
    await vi.waitFor(() => waiting(1), { timeout: 5_000 });
    const second = commit(other, 2n);
    await vi.waitFor(() => waiting(2), { timeout: 4_000 });
    expect((await one.feed.read(start)).entries).toEqual([]);
    await client.query(`SELECT pg_advisory_unlock(${held})`);
    await Promise.all([first, second]);
    const { entries } = await one.feed.read(start);
    expect(entries.flatMap(({ events }) => events)).toMatchObject([{ postId: 1n }, { postId: 2n }]);
  });

  test('commits with events ring the bell, many with few rings; others do not', async () => {
    const engine = await open();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    let rings = 0;
    client.on('notification', () => (rings += 1));
    await client.query(`SELECT pg_advisory_lock_shared(${0x7069706976}); LISTEN pipit_feed`);
    await engine.tx('silent', (tx) =>
      tx.run(sql`INSERT INTO media_usage (user_id, size_bytes) VALUES (${1_000n}, ${1})`),
    );
    await Promise.all(Array.from({ length: 50 }, (_, index) => commit(engine, BigInt(index))));
    await vi.waitFor(() => expect(rings).toBeGreaterThan(0));
    expect(rings).toBeLessThan(50);
  });

  test('a process without subscribers does not listen', async () => {
    const engine = await open();
    expect(await listeners()).toBe(0);
    const stop = new AbortController();
    const ended = engine.feed.subscribe(
      { after: await engine.feed.position(), signal: stop.signal },
      () => undefined,
    );
    await vi.waitFor(async () => expect(await listeners()).toBe(1));
    stop.abort();
    await ended;
    await vi.waitFor(async () => expect(await listeners()).toBe(0));
  });

  test('a subscriber whose process loses the connection that listens misses nothing', async () => {
    const warnings: string[] = [];
    const [one, other] = [await open(), await open({ warn: (_fields, message) => warnings.push(message) })];
    const received = subscribe(other, await one.feed.position());
    const numbers: bigint[] = [];
    for (let round = 1n; round <= 4n; round += 1n) {
      await vi.waitFor(async () => expect(await listeners()).toBe(1));
      await administer(
        url,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'pipit feed'`,
      );
      await commit(one, round);
      numbers.push(round);
      await vi.waitFor(() => expect(received).toEqual(numbers), { timeout: 5_000 });
    }
    await vi.waitFor(() => expect(warnings.length).toBeGreaterThanOrEqual(4));
  });
});
