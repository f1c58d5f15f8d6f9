import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, type ProvidedContext } from 'vitest';
import { DATA_FOLDER } from '../../src/server/backend.js';
import { systemClock, type Clock } from '../../src/core/clock.js';
import type { Engine, Queryable } from '../../src/database/engine.js';
import { openEngine } from '../../src/database/open-engine.js';
import { postgresDialect } from '../../src/database/postgres/schema-dialect.js';
import { sqliteDialect } from '../../src/database/sqlite/schema-dialect.js';
import { emptierOf } from './empty-database.js';
import { createDatabase, databaseUrl, dropDatabase } from './postgres.js';

/** An empty database for one test server. */
export interface TestDatabaseUrl {
  readonly url: string;
  /** Where what belongs to a database on a server is kept. */
  readonly dataFolder: string | undefined;
  remove(): Promise<void>;
}

/** Databases of this process that were emptied: making one and dropping it costs as much as a short test. */
const emptied: ReusedDatabase[] = [];

/** PostgreSQL's own template. */
const BARE = 'template1';

interface ReusedDatabase {
  readonly url: string;
  empty(): Promise<void>;
}

/**
 * On the engine that the project of the run names (vitest.config.ts). Whoever removes it has closed it before; processes
 * that may have been killed, and whose last work may still be under way, say that they are `processes`.
 */
export async function createTestDatabase(
  users: 'this process' | 'processes' = 'this process',
): Promise<TestDatabaseUrl> {
  if (!isOnPostgres()) {
    return { url: 'sqlite::memory:', dataFolder: undefined, remove: () => Promise.resolve() };
  }
  if (users === 'processes') return createDatabaseForProcesses();
  const database = emptied.pop() ?? (await createReusedDatabase());
  return withDataFolder(database.url, async () => {
    await database.empty();
    emptied.push(database);
  });
}

async function createReusedDatabase(): Promise<ReusedDatabase> {
  const { server, template, asNew } = runOfPostgres();
  const url = databaseUrl(server, await createDatabase(server, template));
  return { url, empty: await emptierOf(url, asNew) };
}

/** It is not used again. */
async function createDatabaseForProcesses(template = runOfPostgres().template): Promise<TestDatabaseUrl> {
  const { server } = runOfPostgres();
  const name = await createDatabase(server, template);
  return withDataFolder(databaseUrl(server, name), async () => {
    // Nobody waits for it: the server is removed with what is left at the end of the run.
    dropDatabase(server, name).catch(() => undefined);
  });
}

async function withDataFolder(url: string, remove: () => Promise<void>): Promise<TestDatabaseUrl> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'pipit-'));
  return {
    url,
    dataFolder,
    remove: async () => {
      await rm(dataFolder, { recursive: true, force: true });
      await remove();
    },
  };
}

function runOfPostgres(): NonNullable<ProvidedContext['postgres']> {
  const run = inject('postgres');
  if (!run) throw new Error('this run has no PostgreSQL');
  return run;
}

/** A database that several processes can open, in a folder of its own, which is where they run. */
export interface SharedDatabase extends TestDatabaseUrl, AsyncDisposable {
  readonly folder: string;
  /** A path in the folder. */
  file(name: string): string;
}

/**
 * On the engine that the project of the run names: a file in the folder, or on the run's server. There it has the schema
 * already, which saves time, unless whoever opens it first is to make it, as always in a file.
 */
export async function createSharedDatabase({ isBare = false } = {}): Promise<SharedDatabase> {
  const database =
    isBare && isOnPostgres() ? await createDatabaseForProcesses(BARE) : await createTestDatabase('processes');
  const folder = await mkdtemp(join(tmpdir(), 'pipit-shared-'));
  const file = (name: string): string => join(folder, name);
  const remove = async (): Promise<void> => {
    await rm(folder, { recursive: true, force: true });
    await database.remove();
  };
  return {
    url: isOnPostgres() ? database.url : `sqlite:${file('pipit.db')}`,
    dataFolder: isOnPostgres() ? file(DATA_FOLDER) : undefined,
    folder,
    file,
    remove,
    [Symbol.asyncDispose]: remove,
  };
}

/** An engine on an empty database of the project's kind, which goes when the engine is closed. */
export async function openTestEngine(clock: Clock = systemClock): Promise<Engine> {
  const database = await createTestDatabase();
  const engine = await openEngine(database.url, { durability: 'relaxed', clock });
  return { ...engine, close: () => engine.close().finally(database.remove) };
}

/** Every table of such a database. */
export function testTableNames(db: Queryable): Promise<readonly string[]> {
  return (isOnPostgres() ? postgresDialect : sqliteDialect).tableNames(db);
}

function isOnPostgres(): boolean {
  return process.env['PIPIT_TEST_ENGINE'] === 'postgres';
}
