import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Change } from '../../src/database/effect.js';
import type { Engine } from '../../src/database/engine.js';
import { openEngine } from '../../src/database/open-engine.js';
import { byKeyWithCounts, RowCache } from '../../src/database/row-cache.js';
import { sql, type Sql } from '../../src/database/sql.js';
import { encodeChanges } from '../../src/database/watchers.js';

/** How processes on one SQLite file learn what the others changed (src/database/sqlite/change-feed.ts). */

const TABLES = ['user_counts', 'user_posts', 'bearer_tokens'];

const COUNTED = { table: 'user_counts', kind: 'update', keys: [1n] } as const;

/** What a process knows of changes in TABLES. */
interface Watch {
  readonly engine: Engine;
  /** Returns the keyed changes and the growth of the version since the last call, as of a new turn. */
  news(): Promise<{ readonly changes: readonly Change[]; readonly growth: number }>;
}

let nowMs = 0;

async function watchOn(file: string): Promise<Watch> {
  const engine = await openEngine(`sqlite:${file}`, { durability: 'relaxed', clock: () => nowMs });
  onTestFinished(engine.close);
  let changes: Change[] = [];
  const version = engine.changesIn(TABLES, (change) => changes.push(change) > 0);
  let seen = version();
  return {
    engine,
    news: async () => {
      await nextTurn();
      const current = version();
      const news = { changes, growth: current - seen };
      changes = [];
      seen = current;
      return news;
    },
  };
}

const write = (engine: Engine, ...statements: readonly Sql[]): Promise<void> =>
  engine.tx('test', async (tx) => {
    for (const statement of statements) await tx.run(statement);
  });

const insertPost = (userId: bigint, postId: bigint): Sql =>
  sql`
    INSERT INTO user_posts (user_id, post_id, is_reply, is_repost) VALUES (${userId}, ${postId}, ${0}, ${0})`;
const deletePost = (userId: bigint, postId: bigint): Sql =>
  sql`DELETE FROM user_posts WHERE user_id = ${userId} AND post_id = ${postId}`;

const names = (changes: readonly Change[]): string[] =>
  changes.map(({ table, kind, keys, row }) => `${kind} ${table} ${String(keys)} ${String(row?.['post_id'])}`);

const insertCounts = sql`
  INSERT INTO user_counts (user_id, followers, following, posts, listed) VALUES (${1n}, 0, 0, ${5}, 0)`;

describe('a process on a SQLite file', () => {
  let one: Watch;
  let other: Watch;
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pipit-feed-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    one = await watchOn(join(folder, 'pipit.db'));
    other = await watchOn(join(folder, 'pipit.db'));
    await one.news();
    await other.news();
  });

  it('learns the keys of what another process changes', async () => {
    await write(one.engine, insertPost(1n, 10n), insertPost(2n, 20n));
    expect(names((await other.news()).changes)).toEqual(['insert user_posts 1 10', 'insert user_posts 2 20']);
    await write(one.engine, deletePost(1n, 10n));
    const { changes, growth } = await other.news();
    expect([names(changes), growth]).toEqual([['delete user_posts 1 10'], 0]);
    expect((await other.news()).changes).toEqual([]);
  });

  it('learns new rows and increments for a minute after its commits', async () => {
    const count = sql`UPDATE user_counts SET posts = posts + ${2} WHERE user_id = ${1n}`;
    const row = { user_id: 1n, posts: 0 };
    const create = () =>
      one.engine.tx('test', async (tx) => {
        tx.stored('user_counts', 1n, row);
        await tx.run(count);
      });
    await write(one.engine, insertCounts);
    await other.news();
    nowMs += 60_000;
    await create();
    expect((await other.news()).changes).toEqual([{ ...COUNTED, row: {} }]);
    await write(other.engine, insertPost(1n, 10n));
    await one.news();
    await other.news();
    await create();
    expect((await other.news()).changes).toEqual([
      { table: 'user_counts', kind: 'insert', keys: [1n], row: {}, stored: row },
      { ...COUNTED, row: {}, increment: { column: 'posts', by: 2 } },
    ]);
  });

  it('adds an increment once to a count that it reads after the commit and before the notice', async () => {
    await write(one.engine, insertCounts);
    await write(other.engine, insertPost(1n, 10n));
    await one.news();
    const cache = new RowCache<bigint, { readonly posts: number }>(
      other.engine,
      ['user_counts'],
      10,
      byKeyWithCounts,
    );
    const read = () =>
      cache.read(1n, async () => {
        const found = await other.engine.get(sql`SELECT posts FROM user_counts WHERE user_id = ${1n}`);
        return { posts: Number(found?.['posts']) };
      });
    await nextTurn();
    expect(cache.find(1n)).toBeUndefined();
    // The commit and its notice, within the turn in which the other process has looked for notices.
    const file = new Database(join(folder, 'pipit.db'));
    onTestFinished(() => void file.close());
    const increment = { column: 'posts', by: 2 };
    const changes = encodeChanges([{ ...COUNTED, keys: [1n], row: {}, increment }], { forOthers: true });
    file.exec('BEGIN IMMEDIATE; UPDATE user_counts SET posts = posts + 2');
    file.prepare('INSERT INTO change_feed (created_at, changes) VALUES (0, ?)').run(changes);
    file.exec('COMMIT');
    expect(await read()).toEqual({ posts: 7 });
    await nextTurn();
    expect(await read()).toEqual({ posts: 7 });
  });

  it('discards a whole table when the keys are unknown', async () => {
    await write(one.engine, insertPost(1n, 10n));
    await other.news();
    await write(one.engine, sql`UPDATE user_posts SET is_reply = ${1}`);
    expect(await other.news()).toEqual({ changes: [], growth: 1 });
  });

  it('discards nothing after a commit that no cache depends on, or after a rollback', async () => {
    await write(one.engine, sql`INSERT INTO media_usage (user_id, size_bytes) VALUES (${1n}, ${2})`);
    await write(one.engine, insertPost(1n, 10n), sql`SELECT broken`).catch(() => undefined);
    expect(await other.news()).toEqual({ changes: [], growth: 0 });
    await write(one.engine, insertPost(1n, 11n));
    expect(names((await other.news()).changes)).toEqual(['insert user_posts 1 11']);
  });

  it('learns changes in the order of commits, its own included', async () => {
    await write(one.engine, insertPost(1n, 10n));
    await write(other.engine, deletePost(1n, 10n));
    await write(one.engine, insertPost(1n, 11n));
    expect(names((await other.news()).changes)).toEqual([
      'insert user_posts 1 10',
      'delete user_posts 1 10',
      'insert user_posts 1 11',
    ]);
    expect(names((await one.news()).changes)).toEqual([
      'insert user_posts 1 10',
      'delete user_posts 1 10',
      'insert user_posts 1 11',
    ]);
  });

  it('discards everything when it is far behind, and follows again afterwards', async () => {
    for (let id = 1n; id <= 1_100n; id += 1n) await write(one.engine, insertPost(1n, id));
    const { changes, growth } = await other.news();
    expect(changes).toEqual([]);
    expect(growth).toBeGreaterThan(0);
    await write(one.engine, deletePost(1n, 5n));
    expect(names((await other.news()).changes)).toEqual(['delete user_posts 1 5']);
  });

  it('discards everything when entries are missing', async () => {
    await write(one.engine, insertPost(1n, 1n));
    await write(one.engine, insertPost(1n, 2n));
    await write(
      one.engine,
      sql`DELETE FROM change_feed WHERE position = (SELECT MAX(position) - 1 FROM change_feed)`,
    );
    const { changes, growth } = await other.news();
    expect(changes).toEqual([]);
    expect(growth).toBeGreaterThan(0);
  });

  it('discards everything when an entry cannot be decoded, and follows again afterwards', async () => {
    await write(one.engine, sql`INSERT INTO change_feed (changes) VALUES (${'not JSON'})`);
    await write(one.engine, insertPost(1n, 1n));
    const { changes, growth } = await other.news();
    expect(changes).toEqual([]);
    expect(growth).toBeGreaterThan(0);
    await write(one.engine, sql`DELETE FROM change_feed WHERE changes = ${'not JSON'}`);
    await write(one.engine, insertPost(1n, 2n));
    expect((await other.news()).growth).toBeGreaterThan(0);
    await write(one.engine, insertPost(1n, 3n));
    expect(names((await other.news()).changes)).toEqual(['insert user_posts 1 3']);
  });
});
