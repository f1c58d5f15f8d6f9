import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import type { Change } from '../../src/database/effect.js';
import type { Engine } from '../../src/database/engine.js';
import { StorageUnavailable } from '../../src/database/errors.js';
import { openPostgres } from '../../src/database/postgres/engine.js';
import { RowCache } from '../../src/database/row-cache.js';
import { sql, type Sql } from '../../src/database/sql.js';
import { administer } from '../support/postgres.js';
import { createPostgresDatabase, type InitialContents } from '../support/test-database.js';
import { cutCommits } from './cut-commits.js';
import { deferred } from '../../src/core/deferred.js';
import { increment, insertNote, NOTES, textOfNote } from './notes.js';
import { steadyChanges } from '../support/steady-changes.js';

/**
 * How processes on PostgreSQL learn what the others changed; the contract of all engines is in
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

  const open = async (through = url): Promise<Engine> => {
    const engine = await openPostgres({
      url: through,
      durability: 'full',
      migrations: NOTES,
      cachedTables: ['notes'],
    });
    closing.unshift(() => engine.close());
    return engine;
  };

  /** Returns the entries of the feed since the last call. */
  const follow = async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    closing.unshift(() => client.end());
    let seen = '0';
    const news = async (): Promise<string[]> => {
      const { rows } = await client.query<{ position: string; changes: string }>(
        'SELECT position, changes FROM change_feed WHERE position > $1 ORDER BY position',
        [seen],
      );
      seen = rows.at(-1)?.position ?? seen;
      return rows.map(({ changes }) => changes);
    };
    await news();
    return news;
  };

  const cutReaders = () =>
    administer(
      url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'pipit changes'`,
    );

  /** Returns the keyed changes and the growth of the version since the last call, after catching up. */
  const watch = async (engine: Engine, ...tables: readonly string[]) => {
    let changes: Change[] = [];
    const version = engine.changesIn(tables, (change) => changes.push(change) > 0);
    await vi.waitFor(() => expect(version()).toBe(version()));
    await engine.catchUp();
    let before = version();
    changes = [];
    return async () => {
      await engine.catchUp();
      const growth = version() - before;
      const names = changes.map(
        ({ kind, keys, row }) => `${kind} ${String(keys)} ${String(row?.['post_id'])}`,
      );
      before += growth;
      changes = [];
      return { names, growth };
    };
  };

  test('without the connection for changes nothing is cached, and later reads see every change', async () => {
    await create('nothing');
    const [first, second] = [await open(), await open()];
    const cache = new RowCache<bigint, string>(second, ['notes'], 10);
    const cached = () => cache.read(1n, () => textOfNote(second, 1n));
    await first.tx('write', (tx) => insertNote(tx, 1n, 'text 0'));
    for (let round = 1; round <= 5; round += 1) {
      await steadyChanges(second);
      await cached();
      expect(cache.find(1n)).toBe(`text ${round - 1}`);
      await cutReaders();
      const text = `text ${round}`;
      await first.tx('change', (tx) => tx.run(sql`UPDATE notes SET text = ${text} WHERE id = 1`));
      await second.catchUp();
      expect(await cached()).toBe(text);
    }
    await steadyChanges(second);
    expect(await cached()).toBe('text 5');
    expect(cache.find(1n)).toBe('text 5');
  });

  test('an engine whose changes are not requested does not read them', async () => {
    await create('nothing');
    const engine = await open();
    expect(engine.catchUp()).toBeUndefined();
    const row = await engine.get(
      sql`SELECT COUNT(*) AS n FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'pipit changes'`,
    );
    expect(row?.['n']).toBe(0n);
  });

  test('a cache of a table whose changes are not in the feed cannot be created', async () => {
    await create('nothing');
    const engine = await open();
    expect(() => engine.changesIn(['notes', 'counters'])).toThrow('cached-tables.ts');
  });

  test('updated and deleted rows of cached tables are in the feed after the commit, and nothing else is', async () => {
    await create('nothing');
    const engine = await open();
    const news = await follow();
    await engine.tx('add', (tx) => insertNote(tx, 1n));
    await engine.tx('count', (tx) => increment(tx, 'visits'));
    await engine.tx('nothing', (tx) => tx.run(sql`UPDATE notes SET text = 'x' WHERE id = 2`));
    const undone = engine.tx('undone', async (tx) => {
      await tx.run(sql`DELETE FROM notes`);
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    expect(await news()).toEqual([]);
    await engine.tx('change', (tx) => tx.run(sql`UPDATE notes SET text = 'x' WHERE id = 1`));
    await engine.tx('remove', (tx) => tx.run(sql`DELETE FROM notes`), 'read-committed');
    expect(await news()).toEqual(['[["notes","update"]]', '[["notes","update"]]']);
    await engine.tx('unknown', (tx) => tx.run(sql`TRUNCATE notes`));
    expect(await news()).toEqual(['*']);
  });

  const insertPost = (postId: bigint) => sql`
    INSERT INTO user_posts (user_id, post_id, is_reply, is_repost) VALUES (${1n}, ${postId}, ${0}, ${0})`;
  const deletePost = (postId: bigint) =>
    sql`DELETE FROM user_posts WHERE user_id = ${1n} AND post_id = ${postId}`;
  const write = (engine: Engine, statement: Sql) =>
    engine.tx('test', async (tx) => void (await tx.run(statement)), 'read-committed');

  const openTwo = async (): Promise<[Engine, Engine]> => {
    await create('schema');
    const opened = async () => {
      const engine = await openPostgres({ url, durability: 'relaxed' });
      closing.unshift(() => engine.close());
      return engine;
    };
    return [await opened(), await opened()];
  };

  test('a process learns the changes of others in the order of commits, and its own again among them', async () => {
    const [one, other] = await openTwo();
    const news = await watch(other, 'user_posts');
    await write(one, insertPost(8n));
    expect(await news()).toEqual({ names: ['insert 1 8'], growth: 0 });
    await write(other, insertPost(9n));
    expect(await news()).toEqual({ names: ['insert 1 9'], growth: 0 });
    await write(one, insertPost(10n));
    await write(other, deletePost(10n));
    await write(one, insertPost(11n));
    expect(await news()).toEqual({
      names: ['delete 1 10', 'insert 1 10', 'delete 1 10', 'insert 1 11'],
      growth: 0,
    });
    expect(await news()).toEqual({ names: [], growth: 0 });
  });

  test('a process and others that commit too learn new rows, unless they changed meanwhile', async () => {
    const [one, other] = await openTwo();
    const rows = async (engine: Engine) => {
      const found: unknown[] = [];
      const version = engine.changesIn(
        ['user_posts'],
        ({ keys, stored }) => found.push([...keys, stored]) > 0,
      );
      await vi.waitFor(() => expect(version()).toBe(version()));
      await engine.catchUp();
      found.length = 0;
      return async () => {
        await engine.catchUp();
        return found.splice(0);
      };
    };
    const [own, others] = [await rows(one), await rows(other)];
    const create = (key: bigint, during?: () => Promise<void>) =>
      one.tx('create', async (tx) => {
        await tx.all(sql`SELECT 1`);
        tx.stored('user_posts', key, { id: key });
        await during?.();
      });
    await create(1n);
    expect([await own(), await others()]).toEqual([[[1n, { id: 1n }]], []]);
    await write(other, insertPost(9n));
    expect([await own(), await others()]).toEqual([[[1n, undefined]], [[1n, undefined]]]);
    await create(2n);
    expect([await own(), await others()]).toEqual([[[2n, { id: 2n }]], [[2n, { id: 2n }]]]);
    const [stored, removed] = [deferred(), deferred()];
    const creation = create(1n, () => {
      stored.resolve();
      return removed.promise;
    });
    await stored.promise;
    await write(one, insertPost(10n));
    removed.resolve();
    await creation;
    expect(await own()).toEqual([[1n, undefined]]);
  });

  test('a transaction that commits after later ones is not missed', async () => {
    const [one, other] = await openTwo();
    const news = await watch(other, 'user_posts');
    const [holding, goOn] = [deferred(), deferred()];
    const late = one.tx('late', async (tx) => {
      await tx.run(insertPost(20n));
      holding.resolve();
      await goOn.promise;
    });
    await holding.promise;
    for (let id = 21n; id < 24n; id += 1n) {
      await write(one, insertPost(id));
      expect(await news()).toEqual({ names: [`insert 1 ${id}`], growth: 0 });
    }
    goOn.resolve();
    await late;
    expect((await news()).names).toEqual(['insert 1 20']);
  });

  const insertEntry = (changes: string) =>
    sql`INSERT INTO change_feed (source, changes) VALUES ('1', ${changes})`;
  const keysFrom = (first: number, count: number) =>
    JSON.stringify([
      ['user_posts', 'update', Array.from({ length: count }, (_, index) => String(first + index)), {}],
    ]);

  test('entries that are too long for a notification arrive in order too', async () => {
    const [one, other] = await openTwo();
    const news = await watch(other, 'user_posts');
    await write(one, insertPost(30n));
    await write(one, insertEntry(keysFrom(100_000, 2_000)));
    await write(one, insertPost(31n));
    const { names, growth } = await news();
    expect(growth).toBe(0);
    expect(names).toHaveLength(3);
    expect(names[0]).toBe('insert 1 30');
    expect(names[1]).toMatch(/^update 100000,100001,.*,101999 undefined$/);
    expect(names[2]).toBe('insert 1 31');
  });

  test('a long entry that was deleted from the table meanwhile discards everything', async () => {
    const [one, other] = await openTwo();
    const news = await watch(other, 'user_posts');
    await write(one, insertEntry(keysFrom(100_000, 2_000)));
    await administer(url, `DELETE FROM change_feed WHERE position > 0`);
    expect((await news()).growth).toBeGreaterThan(0);
    await write(one, insertPost(32n));
    expect(await news()).toEqual({ names: ['insert 1 32'], growth: 0 });
  });

  test('a process with too many entries that no request waited for discards everything', async () => {
    const [one, other] = await openTwo();
    const news = await watch(other, 'user_posts');
    await administer(
      url,
      `INSERT INTO change_feed (source, changes)
       SELECT '1', '[' || repeat(' ', 7000) || ']' FROM generate_series(1, 700)`,
    );
    const missed = await news();
    expect(missed.names).toEqual([]);
    expect(missed.growth).toBeGreaterThan(0);
    await write(one, insertPost(34n));
    expect(await news()).toEqual({ names: ['insert 1 34'], growth: 0 });
  });

  test('a process that was not notified of a commit notices, and discards everything', async () => {
    const [one, other] = await openTwo();
    const news = await watch(other, 'user_posts');
    await administer(
      url,
      `ALTER TABLE change_feed DISABLE TRIGGER notify_of_change_feed;
       INSERT INTO change_feed (source, changes) VALUES ('1', '*');
       ALTER TABLE change_feed ENABLE TRIGGER notify_of_change_feed`,
    );
    expect((await news()).growth).toBeGreaterThan(0);
    await steadyChanges(other, ['user_posts']);
    await news();
    await write(one, insertPost(36n));
    expect(await news()).toEqual({ names: ['insert 1 36'], growth: 0 });
  });

  test('a commit notifies other processes without the trigger, which is for older builds', async () => {
    const [one, other] = await openTwo();
    const news = await watch(other, 'user_posts');
    await administer(url, 'ALTER TABLE change_feed DISABLE TRIGGER notify_of_change_feed');
    onTestFinished(() => administer(url, 'ALTER TABLE change_feed ENABLE TRIGGER notify_of_change_feed'));
    await write(one, insertPost(37n));
    expect(await news()).toEqual({ names: ['insert 1 37'], growth: 0 });
  });

  test('an entry that cannot be decoded discards everything', async () => {
    const [, other] = await openTwo();
    const news = await watch(other, 'user_posts');
    await administer(url, `INSERT INTO change_feed (changes) VALUES ('not JSON')`);
    expect((await news()).growth).toBeGreaterThan(0);
  });

  test('a cache sees a commit of its own process whose answer was lost', async () => {
    await create('nothing');
    const cut = await cutCommits(url);
    closing.push(cut.close);
    const other = await open();
    await other.tx('write', (tx) => insertNote(tx, 1n, 'old'));
    const engine = await open(cut.url);
    const cache = new RowCache<bigint, string>(engine, ['notes'], 10);
    const cached = () => cache.read(1n, () => textOfNote(engine, 1n));
    await steadyChanges(engine);
    expect(await cached()).toBe('old');
    cut.arm();
    const change = engine.tx('change', (tx) => tx.run(sql`UPDATE notes SET text = 'new' WHERE id = 1`));
    await expect(change).rejects.toThrow(StorageUnavailable);
    expect(await textOfNote(other, 1n)).toBe('new');
    await engine.catchUp();
    expect(await cached()).toBe('new');
  });
});
