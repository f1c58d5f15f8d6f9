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

  const reader = `FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'pipit changes'`;

  const readers = async (): Promise<number> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query(`SELECT pid ${reader}`);
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

  test('a subscriber receives the commits of other processes, and only then its process connects', async () => {
    const [one, other] = [await open(), await open()];
    expect(await readers()).toBe(0);
    const received = subscribe(other, await one.feed.position());
    await vi.waitFor(async () => expect(await readers()).toBe(1));
    const numbers = Array.from({ length: 50 }, (_, index) => BigInt(index));
    for (const number of numbers) await commit(one, number);
    await vi.waitFor(() => expect(received).toEqual(numbers), { timeout: 5_000 });
  });

  test('a role without rights on the tables cannot find the channel of the notifications', async () => {
    await open();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    const texts = [
      'SELECT last_value FROM change_feed_channel',
      `SELECT pg_sequence_last_value('change_feed_channel'::regclass)`,
    ];
    const read = async (text: string): Promise<unknown> => {
      const { rows } = await client.query<object>(text).catch(() => ({ rows: [] }));
      return Object.values(rows[0] ?? {})[0] ?? 'hidden';
    };
    for (const text of texts) expect(await read(text)).not.toBe('hidden');
    await client.query('SET ROLE pg_signal_backend');
    for (const text of texts) expect(await read(text)).toBe('hidden');
  });

  test('a subscriber whose process loses the connection for changes misses nothing', async () => {
    const warnings: string[] = [];
    const [one, other] = [await open(), await open({ warn: (_fields, message) => warnings.push(message) })];
    const received = subscribe(other, await one.feed.position());
    const numbers: bigint[] = [];
    for (let round = 1n; round <= 4n; round += 1n) {
      await vi.waitFor(async () => expect(await readers()).toBe(1));
      await administer(url, `SELECT pg_terminate_backend(pid) ${reader}`);
      await commit(one, round);
      numbers.push(round);
      await vi.waitFor(() => expect(received).toEqual(numbers), { timeout: 5_000 });
    }
    await vi.waitFor(() => expect(warnings.length).toBeGreaterThanOrEqual(4));
  });
});
