import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from './free-port.js';
import { programsIn } from './postgres-programs.js';
import { createCluster, runCluster, type PostgresProcess } from './postgres-process.js';

/** A PostgreSQL server on a free port of 127.0.0.1 with a temporary data folder. */
export interface PostgresServer {
  /** Returns the URL of a database. */
  url(database: string): string;
  /** Returns its URL through a Unix socket, which takes three quarters of the time of a TCP connection. */
  socketUrl(database: string): string;
  /** Shuts down as an administrator would: running statements are aborted. */
  stop(): Promise<void>;
  /** Stops at once, like a power cut that keeps the disk cache: the next start recovers from the log. */
  crash(): Promise<void>;
  /** Starts again after `stop` or `crash`. */
  start(): Promise<void>;
  /** Stops the server and removes its data. */
  remove(): Promise<void>;
}

/** Settings for a server whose data is temporary. */
export const UNSAFE_BUT_FAST = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/** Reports whether a startup warning concerns these settings, which are intended here. */
export function concernsUnsafeSettings(warning: string): boolean {
  return UNSAFE_BUT_FAST.some((setting) => warning.startsWith(`${setting.replace(/=.*/, '')}: `));
}

const ADMIN = 'pipit';
const PASSWORD = 'pipit';

/** Creates and starts a server; by default npm's, otherwise the one in the folder `programs`. */
export async function startPostgres(
  settings: readonly string[] = [],
  programs?: string,
): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'pipit-postgres-'));
  const port = await freePort();
  const flags = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'max_connections=600',
    ...settings,
  ].flatMap((setting) => ['-c', setting]);
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  const found = programs === undefined ? undefined : programsIn(programs);
  const admin = { name: ADMIN, password: PASSWORD };
  const cluster = await createCluster(folder, admin, found).catch(async (error) => {
    await removeFolder();
    throw error;
  });
  let running: PostgresProcess | undefined;
  const start = async (): Promise<void> => {
    running = await runCluster(cluster, flags);
  };
  const end = async (signal: 'SIGINT' | 'SIGQUIT'): Promise<void> => {
    await running?.end(signal);
    running = undefined;
  };
  const remove = async (): Promise<void> => {
    await end('SIGINT');
    await removeFolder();
  };
  await start().catch(async (error) => {
    await remove();
    throw error;
  });
  return {
    url: (database) => `postgres://${ADMIN}:${PASSWORD}@127.0.0.1:${port}/${database}`,
    socketUrl: (database) =>
      `postgres://${ADMIN}:${PASSWORD}@${encodeURIComponent(folder)}:${port}/${database}`,
    start,
    stop: () => end('SIGINT'),
    crash: () => end('SIGQUIT'),
    remove,
  };
}

/**
 * Creates an empty database or a copy of `template`, on `others` too, and returns its name.
 */
export async function createDatabase(
  server: string,
  template = 'template1',
  others: readonly string[] = [],
): Promise<string> {
  const name = `pipit_${randomBytes(6).toString('hex')}`;
  // Copying files takes a third of the time of logging each page.
  const statement = `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`;
  await Promise.all([server, ...others].map((each) => administer(each, statement)));
  return name;
}

/** Drops a database and disconnects its users. */
export async function dropDatabase(
  server: string,
  name: string,
  others: readonly string[] = [],
): Promise<void> {
  const statement = `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`;
  await Promise.all([server, ...others].map((each) => administer(each, statement)));
}

/** Returns the URL of another database of the same server. */
export function databaseUrl(server: string, name: string): string {
  return new URL(`/${name}`, server).href;
}

/** Runs one statement as the server’s administrator. */
export async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
