import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/core/clock.js';
import { distribute } from '../../src/database/postgres/citus/distribute.js';
import { openEngine } from '../../src/database/open-engine.js';
import { rawSql } from '../../src/database/sql.js';
import { leaseSnowflakes } from '../../src/database/snowflake-workers.js';
import { runCli, temporaryFolder } from '../support/cli.js';
import { createDatabase, databaseUrl, dropDatabase } from '../support/postgres.js';
import { createPostgresDatabase } from '../support/test-database.js';

/** `pipit cluster`. */

async function pipit(database: string, ...args: string[]): ReturnType<typeof runCli> {
  await using folder = await temporaryFolder();
  return runCli(args, { folder: folder.path, env: { PIPIT_DATABASE: database } });
}

test('SQLite is refused', async () => {
  await using folder = await temporaryFolder();
  for (const command of ['distribute', 'rebalance'])
    expect(await pipit(`sqlite:${folder.file('a.db')}`, 'cluster', command)).toMatchObject({
      status: 2,
      stderr: 'pipit: only a PostgreSQL database with Citus can be spread over several servers',
    });
});

describe.runIf(inject('postgres'))('PostgreSQL without Citus', () => {
  test('is refused, with what to do', async () => {
    const { url, remove } = await createPostgresDatabase('schema', 'postgres');
    onTestFinished(remove);
    const refused = { status: 1, stderr: expect.stringMatching(/has no Citus: install Citus 13/) };
    expect(await pipit(url, 'cluster', 'distribute', '--dry-run')).toMatchObject(refused);
    expect(await pipit(url, 'cluster', 'distribute')).toMatchObject(refused);
    expect(await pipit(url, 'cluster', 'rebalance')).toMatchObject(refused);
  });
});

const citus = inject('citus');

describe.skipIf(!citus)('a database with Citus', { timeout: 180_000 }, () => {
  async function created(): Promise<string> {
    const { server = '', others = [], bare = '' } = citus ?? {};
    const name = await createDatabase(server, bare, others);
    onTestFinished(() => dropDatabase(server, name, others));
    return databaseUrl(server, name);
  }

  async function countOf(url: string, table: string): Promise<unknown> {
    const engine = await openEngine(url, { durability: 'relaxed' });
    const row = await engine.get(rawSql(`SELECT COUNT(*) AS n FROM ${table}`));
    await engine.close();
    return row?.['n'];
  }

  test('is planned, distributed with its rows, and then left alone', async () => {
    const url = await created();
    const load = await pipit(url, 'load', 'demo');
    expect(load).toMatchObject({ status: 0 });
    const posts = await countOf(url, 'posts');
    expect((await pipit(url, 'doctor')).stdout).toMatch(/warning +citus: .* no table is distributed/);
    const plan = JSON.parse((await pipit(url, 'cluster', 'distribute', '--dry-run', '--json')).stdout);
    expect(plan.steps).toContainEqual({
      table: 'likes',
      key: 'post_id',
      group: 'posts',
      statements: [
        `SELECT create_distributed_table('likes', 'post_id', colocate_with => 'posts')`,
        `SELECT truncate_local_data_after_distributing_table('likes')`,
      ],
    });
    expect(plan.coordinator).toContain('jobs');

    // An interrupted run.
    const twoTables = distribute(url, {
      shards: 4,
      onStep: ({ placement }) => {
        if (placement.table === 'user_posts') throw new Error('killed');
      },
    });
    await expect(twoTables).rejects.toThrow('killed');
    const done = await pipit(url, 'cluster', 'distribute', '--json');
    expect(JSON.parse(done.stdout).distributed).toContain('user_posts');
    expect(JSON.parse(done.stdout).distributed).not.toContain('users');
    expect(await countOf(url, 'posts')).toBe(posts);
    expect(await pipit(url, 'cluster', 'distribute')).toMatchObject({
      status: 0,
      stdout: 'all tables are distributed already',
    });
    expect((await pipit(url, 'doctor')).stdout).toMatch(/ok +citus: Citus 1\S+ with 2 workers/);
  });

  test('is refused while a server uses it', async () => {
    const url = await created();
    const engine = await openEngine(url, { durability: 'relaxed' });
    onTestFinished(() => engine.close());
    const ids = await leaseSnowflakes(engine, systemClock);
    expect(await pipit(url, 'cluster', 'distribute')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^pipit: the database is in use: stop every server first/),
    });
    await ids.release();
  });
});
