import { readdir, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/server/config.js';
import { runCli } from '../support/cli.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { DEBIAN_PROGRAMS } from '../support/client-programs.js';
import { createDatabase, startPostgres, UNSAFE_BUT_FAST, type PostgresServer } from '../support/postgres.js';
import { createSharedDatabase } from '../support/test-database.js';

/** Backups that servers make by themselves. */

const HOUR_MS = 3_600_000;

/** Debian's server, for which there is a `pg_dump`. */
let postgres: PostgresServer | undefined;

/** Returns a database on that server, if it runs, otherwise a file. */
async function newDatabase() {
  const database = await createSharedDatabase({ users: 'this process' });
  if (postgres === undefined) return database;
  const url = postgres.url(await createDatabase(postgres.url('postgres'), 'template0'));
  return { ...database, url, dataFolder: database.file('data') };
}

/** Starts servers of one database with the same schedule. */
async function start({ servers = 1, every = '6h', keep = '2' } = {}) {
  const database = await newDatabase();
  const folder = database.file('backups');
  let nowMs = Date.parse('2026-11-20T00:00:00Z');
  const lines: object[] = [];
  const flags = {
    backupEvery: every,
    backupTo: folder,
    keep,
    metrics: 'public',
    shareDatabase: true,
    postgresPrograms: DEBIAN_PROGRAMS,
  };
  const open = (isFirst: boolean, changed = {}): Promise<TestApp> =>
    startTestApp({
      database,
      clock: () => nowMs,
      flags: { ...flags, ...changed },
      ...(isFirst ? {} : { world: null }),
      requestLog: (line) => void lines.push(line),
      expectsErrors: true,
    });
  const apps: TestApp[] = [];
  for (let count = 0; count < servers; count += 1) apps.push(await open(count === 0));
  onTestFinished(async () => {
    for (const app of apps) await app.close();
    await database.remove();
  });
  const begin = ({ pipit }: TestApp): Promise<void> =>
    pipit.backend.engine.tx('begin', async (tx) => pipit.jobs.backups?.begin(tx));
  for (const app of apps) await begin(app);
  return {
    apps,
    url: database.url,
    folder,
    lines,
    begin,
    /** Starts another server with other settings. */
    add: async (changed: object): Promise<TestApp> => {
      const app = await open(false, changed);
      apps.push(app);
      await begin(app);
      return app;
    },
    /** Lets hours pass, and all servers do at once what is then due. */
    pass: async (hours: number): Promise<void> => {
      nowMs += hours * HOUR_MS;
      for (const { pipit } of apps) await pipit.backend.renewIds();
      await Promise.all(apps.map(({ pipit }) => pipit.jobs.worker.runDue()));
    },
    names: async (): Promise<string[]> => (await readdir(folder).catch(() => [])).sort(),
    overdueHours: async (): Promise<number> =>
      ((await apps[0]?.pipit.jobs.backups?.overdueMs()) ?? NaN) / HOUR_MS,
  };
}

/** PostgreSQL where Debian's package is installed; test/cli/backup-postgres.test.ts says that it is skipped. */
const ENGINES = ['SQLite', ...(inject('postgres') && DEBIAN_PROGRAMS ? ['PostgreSQL'] : [])];

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    if (engine === 'PostgreSQL') postgres = await startPostgres(UNSAFE_BUT_FAST, DEBIAN_PROGRAMS);
  });
  afterAll(async () => {
    await postgres?.remove();
    postgres = undefined;
  });

  test('of two servers one makes each backup, on time; the newest stay', async () => {
    const { apps, pass, names, lines, folder, url } = await start({ servers: 2 });
    await pass(0);
    expect(await names()).toEqual(['2026-11-20T00-00-00Z']);
    await pass(5);
    expect(await names()).toHaveLength(1);
    await pass(1);
    expect(await names()).toEqual(['2026-11-20T00-00-00Z', '2026-11-20T06-00-00Z']);
    await pass(6.5);
    expect(await names()).toEqual(['2026-11-20T06-00-00Z', '2026-11-20T12-30-00Z']);
    expect((await apps[0]?.get('/metrics'))?.body).toMatch(/^pipit_backup_overdue_seconds 0$/m);
    expect(lines.filter((line) => 'databaseBytes' in line)).toHaveLength(3);
    const env = { PIPIT_DATABASE: url, PIPIT_POSTGRES_PROGRAMS: DEBIAN_PROGRAMS };
    expect(await runCli(['backup', 'verify', folder], { env })).toMatchObject({ status: 0 });
  });

  test('a failed backup is repeated, deletes nothing and is overdue meanwhile; the schedule goes on', async () => {
    const { pass, names, folder, overdueHours } = await start({ keep: '1' });
    await pass(0);
    const [first = ''] = await names();
    await pass(6);
    expect(await names()).toEqual(['2026-11-20T06-00-00Z']);
    expect(first).not.toBe('2026-11-20T06-00-00Z');
    await rm(folder, { recursive: true });
    await writeFile(folder, 'not mounted');
    await pass(7);
    expect(await overdueHours()).toBe(1);
    for (let attempt = 0; attempt < 12; attempt += 1) await pass(0.2);
    await rm(folder);
    await pass(6);
    expect(await names()).toHaveLength(1);
    expect(await overdueHours()).toBe(0);
  });

  test('another interval holds from the next start on', async () => {
    const { apps, pass, names, add } = await start({ every: '24h' });
    await pass(0);
    await pass(2);
    await apps.shift()?.close();
    await add({ backupEvery: '1h' });
    await pass(0);
    expect(await names()).toHaveLength(2);
  });
});

test('a server without a schedule makes none', async () => {
  const { pass, names, add } = await start();
  await pass(0);
  const other = await add({ backupEvery: undefined });
  expect(other.pipit.jobs.kinds).not.toContain('backup');
  expect(await names()).toHaveLength(1);
});

test.each([
  [{ backupEvery: '6h' }, '--backup-every needs --backup-to'],
  [{ backupEvery: '6h', backupTo: 'x', database: 'sqlite::memory:' }, 'a database in memory has no backups'],
  [{ backupEvery: '6h', backupTo: 'x', sandbox: true }, 'a sandbox makes no backups'],
  [{ backupEvery: '5m' }, '--backup-every must be a duration from 1h to 365d'],
  [{ keep: '0' }, '--keep must be a number from 1'],
])('%j is refused', (flags, message) => {
  expect(() => readConfig(flags, {})).toThrow(message);
});
