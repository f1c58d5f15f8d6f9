import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import type { Engine } from '../../src/database/engine.js';
import { openPostgres } from '../../src/database/postgres/engine.js';
import { RowCache } from '../../src/database/row-cache.js';
import { sql } from '../../src/database/sql.js';
import { startTestApp } from '../support/app.js';
import { administer } from '../support/postgres.js';
import { createPostgresDatabase, type InitialContents } from '../support/test-database.js';
import { POSTS } from '../support/world.js';
import { increment, insertNote, NOTES, textOfNote } from './notes.js';
import { steadyChanges } from './steady-changes.js';

/**
 * Notification of changes between processes on PostgreSQL; the contract of all engines is in
 * shared-database.cases.ts.
 */
describe.runIf(inject('postgres'))('changes on PostgreSQL', () => {
  let url: string;
  let closing: (() => Promise<unknown>)[];

  const create = async (contents: InitialContents): Promise<void> => {
    const database = await createPostgresDatabase(contents);
    url = database.url;
    closing.push(database.remove);
  };
  beforeEach(() => {
    closing = [];
  });
  afterEach(async () => {
    for (const close of closing) await close();
  });

  const open = async (): Promise<Engine> => {
    const engine = await openPostgres({
      url,
      durability: 'full',
      migrations: NOTES,
      cachedTables: ['notes'],
    });
    closing.unshift(() => engine.close());
    return engine;
  };

  /** Returns the notifications from now on. */
  const listen = async () => {
    const notified: string[] = [];
    const client = new pg.Client({ connectionString: url });
    client.on('notification', ({ payload }) => notified.push(payload ?? ''));
    await client.connect();
    await client.query('LISTEN pipit_changes');
    closing.unshift(() => client.end());
    return async (): Promise<string[]> => {
      await client.query('');
      return notified.splice(0);
    };
  };

  const cutListeners = () =>
    administer(
      url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'pipit listener'`,
    );

  test('without a listening connection nothing is cached, and later reads see every change', async () => {
    await create('nothing');
    const [first, second] = [await open(), await open()];
    const cache = new RowCache<bigint, string>(second, ['notes'], 10);
    const cached = () => cache.read(1n, () => textOfNote(second, 1n));
    await first.tx('write', (tx) => insertNote(tx, 1n, 'text 0'));
    for (let round = 1; round <= 5; round += 1) {
      await steadyChanges(second);
      await cached();
      expect(cache.find(1n)).toBe(`text ${round - 1}`);
      await cutListeners();
      const text = `text ${round}`;
      await first.tx('change', (tx) => tx.run(sql`UPDATE notes SET text = ${text} WHERE id = 1`));
      await second.catchUp();
      expect(await cached()).toBe(text);
    }
    await steadyChanges(second);
    expect(await cached()).toBe('text 5');
    expect(cache.find(1n)).toBe('text 5');
  });

  test('an engine whose changes are not requested does not listen', async () => {
    await create('nothing');
    const engine = await open();
    expect(engine.catchUp()).toBeUndefined();
    const row = await engine.get(
      sql`SELECT COUNT(*) AS n FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'pipit listener'`,
    );
    expect(row?.['n']).toBe(0n);
  });

  test('a cache of a table without notifications cannot be created', async () => {
    await create('nothing');
    const engine = await open();
    expect(() => engine.changesIn(['notes', 'counters'])).toThrow('cached-tables.ts');
  });

  test('updated and deleted rows of cached tables are notified at the commit, and nothing else is', async () => {
    await create('nothing');
    const engine = await open();
    const notified = await listen();
    await engine.tx('add', (tx) => insertNote(tx, 1n));
    await engine.tx('count', (tx) => increment(tx, 'visits'));
    await engine.tx('nothing', (tx) => tx.run(sql`UPDATE notes SET text = 'x' WHERE id = 2`));
    const undone = engine.tx('undone', async (tx) => {
      await tx.run(sql`DELETE FROM notes`);
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    expect(await notified()).toEqual([]);
    await engine.tx('change', (tx) => tx.run(sql`UPDATE notes SET text = 'x' WHERE id = 1`));
    await engine.tx('remove', (tx) => tx.run(sql`DELETE FROM notes`), 'read-committed');
    expect(await notified()).toEqual(['notes', 'notes']);
    await engine.tx('unknown', (tx) => tx.run(sql`TRUNCATE notes`));
    expect(await notified()).toEqual(['*']);
  });

  test('posting, replying and quoting notify nothing, which would serialise commits', async () => {
    await create('schema');
    const database = { url, dataFolder: undefined, remove: () => Promise.resolve() };
    const app = await startTestApp({ database });
    closing.unshift(() => app.close());
    const alice = await app.as('alice');
    const notified = await listen();
    const created = await app.post('/2/tweets', alice, { text: 'One more' });
    const reply = { text: 'To that', reply: { in_reply_to_tweet_id: created.body.data.id } };
    expect((await app.post('/2/tweets', alice, reply)).status).toBe(201);
    const quote = { text: 'About that @bob', quote_tweet_id: POSTS.hello };
    expect((await app.post('/2/tweets', alice, quote)).status).toBe(201);
    expect(await notified()).toEqual([]);
    expect((await app.delete(`/2/tweets/${created.body.data.id}`, alice)).status).toBe(200);
    expect(await notified()).toEqual([`posts:${created.body.data.id}`]);
  });
});
