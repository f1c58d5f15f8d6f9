import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openBackend } from '../../src/server/backend.js';
import type { JobId } from '../../src/core/ids.js';
import type { Finding } from '../../src/database/inspection.js';
import { checkHealth } from '../../src/operations/health.js';
import { migrations } from '../../src/database/migrations/all.js';
import { sql } from '../../src/database/sql.js';
import { openSqlite } from '../../src/database/sqlite/engine.js';
import { inspectSqlite } from '../../src/database/sqlite/health.js';
import { openPostgres } from '../../src/database/postgres/engine.js';
import { thisMachine } from '../../src/database/postgres/data-disk.js';
import { inspectPostgres } from '../../src/database/postgres/health.js';
import { administer, createDatabase, databaseUrl, dropDatabase } from '../support/postgres.js';
import { runCli, temporaryFolder } from '../support/cli.js';

const GIB = 1024 ** 3;
const HOUR_MS = 3_600_000;
const LOCAL = { type: 0xef53, bavail: 8 * GIB, bsize: 1 };

interface DoctorFixture {
  readonly file: (name: string) => string;
  readonly path: string;
  doctor(...args: string[]): ReturnType<typeof runCli>;
}

async function withDatabase(work: (patient: DoctorFixture) => Promise<void>): Promise<void> {
  await using folder = await temporaryFolder();
  const path = folder.file('pipit.db');
  const env = { PIPIT_DATABASE: `sqlite:${path}` };
  await (await openBackend(env.PIPIT_DATABASE)).close();
  await work({ file: folder.file, path, doctor: (...args) => runCli(['doctor', ...args], { env }) });
}

const ofCheck = (findings: readonly Finding[], check: string) =>
  findings.find((finding) => finding.check === check);

test('a valid database is healthy: status 0, engine, schema, and with --deep every page read', () =>
  withDatabase(async ({ doctor }) => {
    const { status, stdout, stderr } = await doctor('--deep', '--json');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
      healthy: true,
      engine: 'SQLite',
      schema_version: migrations.length,
      known_schema_version: migrations.length,
      worker_leases: [],
    });
    expect(ofCheck(report.findings, 'integrity')?.level).toBe('ok');
    expect(ofCheck(report.findings, 'search index')?.message).toMatch(/^format 2, /);
    expect(ofCheck(report.findings, 'key file')?.level).toBe('ok');
    expect((await doctor()).stdout).toMatch(/^SQLite 3\..*\nworker ids in use: none\nok +schema: /);
  }));

test('a missing, exposed or damaged key file is a problem', () =>
  withDatabase(async ({ doctor, file }) => {
    await chmod(file('pipit.key'), 0o644);
    expect(await doctor()).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^pipit: key file: .* accessible to other users; run chmod 600 on it$/),
    });
    await writeFile(file('pipit.key'), 'short');
    await chmod(file('pipit.key'), 0o600);
    expect((await doctor()).stderr).toMatch(/damaged or not a key file/);
    await rm(file('pipit.key'));
    expect((await doctor()).stderr).toMatch(/is missing/);
    // Checking does not create it.
    await expect(stat(file('pipit.key'))).rejects.toThrow(/ENOENT/);
  }));

test('the folder of backups must be one that can be written, and the newest backup in time', () =>
  withDatabase(async ({ doctor, file, path }) => {
    const folder = file('backups');
    const finding = async (...args: string[]) => {
      const { stdout } = await doctor('--json', ...args);
      return ofCheck((JSON.parse(stdout) as { findings: Finding[] }).findings, 'backups');
    };
    expect(await finding()).toBeUndefined();
    expect(await finding('--backup-to', folder)).toMatchObject({
      level: 'ok',
      message: expect.stringMatching(/created by/),
    });
    await writeFile(folder, '');
    expect(await finding('--backup-to', folder)).toMatchObject({
      level: 'problem',
      message: expect.stringMatching(/not a folder/),
    });
    expect(await finding('--backup-to', join(folder, 'a', 'b'))).toMatchObject({
      level: 'problem',
      message: expect.stringMatching(/backups is not a folder/),
    });
    await rm(folder);
    await mkdir(folder);
    expect(await finding('--backup-to', folder)).toMatchObject({
      level: 'ok',
      message: expect.stringMatching(/none in/),
    });
    const env = { PIPIT_DATABASE: `sqlite:${path}` };
    expect(await runCli(['backup', '--backup-to', folder], { env })).toMatchObject({ status: 0 });
    const every = ['--backup-to', folder, '--backup-every', '6h'];
    expect(await finding(...every)).toMatchObject({
      level: 'ok',
      message: expect.stringMatching(/^the newest is of /),
    });
    const manifest = join(folder, (await readdir(folder))[0] ?? '', 'backup.json');
    const facts = JSON.parse(await readFile(manifest, 'utf8'));
    await writeFile(manifest, JSON.stringify({ ...facts, created_at: new Date(Date.now() - 13 * HOUR_MS) }));
    expect(await finding(...every)).toMatchObject({
      level: 'problem',
      message: expect.stringMatching(/, and late: /),
    });
    const huge = { file: 'pipit.db', bytes: 1e18 };
    await writeFile(manifest, JSON.stringify({ ...facts, database: huge }));
    expect(await finding(...every)).toMatchObject({
      level: 'warning',
      message: expect.stringMatching(/has room for \d+ MiB/),
    });
  }));

test('an https base URL without a declared proxy is a warning', () =>
  withDatabase(async ({ path }) => {
    const findingIn = async (env: Record<string, string>) => {
      const { stdout } = await runCli(['doctor', '--json'], {
        env: { PIPIT_DATABASE: `sqlite:${path}`, ...env },
      });
      return ofCheck((JSON.parse(stdout) as { findings: Finding[] }).findings, 'proxy');
    };
    const https = { PIPIT_BASE_URL: 'https://pond.example' };
    expect(await findingIn(https)).toMatchObject({
      level: 'warning',
      message: expect.stringContaining('PIPIT_TRUSTED_PROXY'),
    });
    expect(await findingIn({ ...https, PIPIT_TRUSTED_PROXY: '10.0.0.1' })).toMatchObject({ level: 'ok' });
    expect(await findingIn({})).toMatchObject({ level: 'ok' });
  }));

test('dead jobs are a problem', () =>
  withDatabase(async ({ doctor, path }) => {
    const backend = await openBackend(`sqlite:${path}`);
    await backend.engine.tx('job', (tx) =>
      tx.run(sql`INSERT INTO jobs (id, kind, payload, created_at, attempts, max_attempts)
        VALUES (${1n as JobId}, 'note', '{}', 0, 1, 1)`),
    );
    const whileOpen = JSON.parse((await doctor('--json')).stdout);
    expect(whileOpen.worker_leases).toMatchObject([{ worker_id: 0 }]);
    await backend.close();
    expect(await doctor()).toMatchObject({
      status: 1,
      stderr: 'pipit: jobs: dead jobs: 1; pipit jobs lists them',
    });
  }));

test('doctor creates no database', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('none.db');
  const outcome = await runCli(['doctor', '--database', `sqlite:${file}`]);
  expect(outcome).toMatchObject({ status: 1, stderr: expect.stringContaining('there is no database') });
  await expect(stat(file)).rejects.toThrow(/ENOENT/);
});

test('pending migrations are a warning and are not applied; a newer schema is a problem', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('pipit.db');
  await (await openSqlite({ file, durability: 'full', migrations: migrations.slice(0, 1) })).close();
  const options = { isDeep: false, processes: 1, nowMs: 0 };
  await using inspection = await inspectSqlite(file, async () => LOCAL);
  const older = await checkHealth(inspection, { ...options, migrations });
  expect(older.schemaVersion).toBe(1);
  expect(ofCheck(older.findings, 'schema')).toMatchObject({ level: 'warning' });
  const newer = await checkHealth(inspection, { ...options, migrations: [] });
  expect(ofCheck(newer.findings, 'schema')).toMatchObject({ level: 'problem' });
});

test('an inspection waits while another process holds the log', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('pipit.db');
  await (await openSqlite({ file, durability: 'full' })).close();
  const other = new Database(file);
  other.pragma('locking_mode = EXCLUSIVE');
  other.exec('BEGIN IMMEDIATE; COMMIT');
  const opening = inspectSqlite(file, async () => LOCAL);
  await nextTurn();
  other.close();
  await using inspection = await opening;
  expect(await inspection.db.get(sql`SELECT COUNT(*) AS posts FROM posts`)).toEqual({ posts: 0n });
});

test('a network file system and a full disk are problems', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('pipit.db');
  await (await openSqlite({ file, durability: 'full' })).close();
  const levelOf = async (facts: typeof LOCAL, check: string) => {
    await using inspection = await inspectSqlite(file, async () => facts);
    return ofCheck(await inspection.check({ isDeep: false, processes: 1 }), check)?.level;
  };
  expect(await levelOf(LOCAL, 'file system')).toBe('ok');
  expect(await levelOf({ ...LOCAL, type: 0x6969 }, 'file system')).toBe('problem');
  expect(await levelOf({ ...LOCAL, type: 0xff534d42 - 2 ** 32 }, 'file system')).toBe('problem');
  expect(await levelOf(LOCAL, 'disk')).toBe('ok');
  expect(await levelOf({ ...LOCAL, bavail: GIB / 2 }, 'disk')).toBe('warning');
  expect(await levelOf({ ...LOCAL, bavail: GIB / 100 }, 'disk')).toBe('problem');
});

test('a PostgreSQL database has the same checks', async ({ skip }) => {
  const server = inject('postgres')?.server;
  if (server === undefined) return skip('this run has no PostgreSQL');
  const name = await createDatabase(server);
  onTestFinished(() => dropDatabase(server, name));
  const url = databaseUrl(server, name);
  await (await openPostgres({ url, durability: 'full', migrations: migrations.slice(0, 3) })).close();
  const machine = { ...thisMachine, freeBlocks: async () => LOCAL };
  const levelOf = async (processes: number) => {
    await using inspection = await inspectPostgres(url, machine);
    return await checkHealth(inspection, { isDeep: true, processes, nowMs: 0, migrations });
  };
  const older = await levelOf(1);
  expect(older).toMatchObject({ engine: 'PostgreSQL', schemaVersion: 3 });
  expect(ofCheck(older.findings, 'schema')).toMatchObject({ level: 'warning' });
  await (await openPostgres({ url, durability: 'full' })).close();
  const health = await levelOf(1);
  expect(health).toMatchObject({ engine: 'PostgreSQL', schemaVersion: migrations.length });
  expect(health.version).toMatch(/^1[5-9]/);
  expect(health.findings.map(({ check, level }) => [check, level])).toEqual([
    ['schema', 'ok'],
    ['version', 'ok'],
    ['encoding', 'ok'],
    ['collation', 'ok'],
    // The server of the tests is not durable: test/support/postgres.ts.
    ['fsync', 'problem'],
    ['full_page_writes', 'problem'],
    ['synchronous_commit', 'warning'],
    ['shared_buffers', 'ok'],
    ['max_connections', 'ok'],
    ['disk', 'ok'],
    ['jobs', 'ok'],
    ['search index', 'ok'],
  ]);
  expect(ofCheck(health.findings, 'disk')?.message).toMatch(/^8192 MiB free at .*data$/);
  expect(ofCheck((await levelOf(200)).findings, 'max_connections')).toMatchObject({ level: 'problem' });
});

test('a PostgreSQL database with another encoding is reported and refused, with status 1', async ({
  skip,
}) => {
  const server = inject('postgres')?.server;
  if (server === undefined) return skip('this run has no PostgreSQL');
  await using folder = await temporaryFolder();
  for (const encoding of ['SQL_ASCII', 'LATIN1']) {
    const name = `pipit_${encoding.toLowerCase()}_${randomBytes(6).toString('hex')}`;
    await administer(
      server,
      `CREATE DATABASE ${name} ENCODING '${encoding}' TEMPLATE template0 LOCALE 'C' STRATEGY FILE_COPY`,
    );
    onTestFinished(() => dropDatabase(server, name));
    const message = `the database is encoded in ${encoding}: CREATE DATABASE ... ENCODING 'UTF8'`;
    const io = { env: { PIPIT_DATABASE: databaseUrl(server, name) }, folder: folder.path };
    const doctor = await runCli(['doctor', '--json'], io);
    expect(doctor.status).toBe(1);
    expect(doctor.stderr).toContain(`encoding: ${message}`);
    expect(JSON.parse(doctor.stdout)).toMatchObject({ healthy: false, schema_version: 0 });
    const serve = await runCli(['serve', '--port', '0'], io);
    expect(serve).toMatchObject({ status: 1, stdout: '' });
    expect(serve.stderr).toMatch(/^pipit: [^\n]*$/);
    expect(serve.stderr).toContain(message);
  }
});
