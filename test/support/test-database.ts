import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, type ProvidedContext } from 'vitest';
import { DATA_FOLDER } from '../../src/server/backend.js';
import { systemClock, type Clock } from '../../src/core/clock.js';
import type { Engine, Queryable } from '../../src/database/engine.js';
import { openEngine } from '../../src/database/open-engine.js';
import { postgresDialect } from '../../src/database/postgres/schema-dialect.js';
import { sqliteDialect } from '../../src/database/sqlite/schema-dialect.js';
import { createClearing, openContents, type ContentsAccess } from './database-contents.js';
import { createDatabase, databaseUrl, dropDatabase } from './postgres.js';
import { reuseConnections } from './reused-connections.js';

/** An empty database for one test server. */
export interface TestDatabaseUrl {
  readonly url: string;
  /** The folder for files that belong to a database on a server. */
  readonly dataFolder: string | undefined;
  /** Reads and replaces the rows of a database on a server; absent if it is not reused. */
  readonly contents?: ContentsAccess;
  remove(): Promise<void>;
}

/** Databases of processes may lose their users while statements still run. */
type Users = 'this process' | 'processes';

/** What a new database on PostgreSQL holds: nothing, or the schema with its initial rows. */
export type InitialContents = 'nothing' | 'schema';

/** Databases of this process that were reset for reuse: creating and dropping one takes as long as a short test. */
const reusable: Record<InitialContents, ReusedDatabase[]> = { nothing: [], schema: [] };

if (isOnPostgres()) reuseConnections();

/** The template of PostgreSQL itself. */
const BARE = 'template1';

interface ReusedDatabase {
  readonly url: string;
  readonly contents?: ContentsAccess;
  reset(): Promise<void>;
}

/** Creates a database on the engine of the project (vitest.config.ts). It must be closed before it is removed. */
export async function createTestDatabase(users: Users = 'this process'): Promise<TestDatabaseUrl> {
  if (!isOnPostgres()) {
    return { url: 'sqlite::memory:', dataFolder: undefined, remove: () => Promise.resolve() };
  }
  if (users === 'processes') return createDatabaseForProcesses();
  const { url, contents, remove } = await createPostgresDatabase('schema');
  return { ...(await withDataFolder(url, remove)), contents };
}

/** Creates a database on the run’s PostgreSQL server. Its connections must be closed before it is removed. */
export async function createPostgresDatabase(
  contents: InitialContents,
): Promise<Pick<TestDatabaseUrl, 'url' | 'contents' | 'remove'>> {
  const database = reusable[contents].pop() ?? (await createReusedDatabase(contents));
  return {
    ...database,
    remove: async () => {
      await database.reset();
      reusable[contents].push(database);
    },
  };
}

async function createReusedDatabase(initial: InitialContents): Promise<ReusedDatabase> {
  const { server, template, initialContents } = runOfPostgres();
  const url = databaseUrl(server, await createDatabase(server, initial === 'schema' ? template : BARE));
  if (initial === 'nothing') return { url, reset: await createClearing(url) };
  const contents = await openContents(url, initialContents);
  return { url, contents, reset: contents.reset };
}

/** Creates a database that is not reused. */
async function createDatabaseForProcesses(template = runOfPostgres().template): Promise<TestDatabaseUrl> {
  const { server } = runOfPostgres();
  const name = await createDatabase(server, template);
  return withDataFolder(databaseUrl(server, name), async () => {
    // Not awaited: the server is removed at the end of the run anyway.
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

/** A database in a temporary folder that several servers or processes can open, and in which they run. */
export interface SharedDatabase extends TestDatabaseUrl, AsyncDisposable {
  readonly folder: string;
  /** Returns a path in the folder. */
  file(name: string): string;
}

/**
 * Creates a database on the engine of the project: a file in the folder, or on the run’s server. On the server it
 * already has the schema, unless `isBare`. Only one whose users are all in this process is reused.
 */
export async function createSharedDatabase({
  isBare = false,
  users = 'processes',
}: { isBare?: boolean; users?: Users } = {}): Promise<SharedDatabase> {
  const database =
    isBare && isOnPostgres() ? await createDatabaseForProcesses(BARE) : await createTestDatabase(users);
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

/** Opens an engine on an empty database of the project’s engine, which is removed on close. */
export async function openTestEngine(clock: Clock = systemClock): Promise<Engine> {
  const database = await createTestDatabase();
  const image = isOnPostgres() ? undefined : await emptyImage();
  const engine = await openEngine(database.url, { durability: 'relaxed', clock, detectsNesting, image });
  const close = async (): Promise<void> => {
    await engine.close();
    await database.remove();
  };
  return { ...engine, close };
}

let migrated: Promise<Buffer> | undefined;

/** Returns an SQLite database with the schema: running its migrations takes longer than most tests. */
function emptyImage(): Promise<Buffer> {
  migrated ??= openEngine('sqlite::memory:', { durability: 'relaxed' }).then(async (engine) => {
    try {
      return await imageOf(engine);
    } finally {
      await engine.close();
    }
  });
  return migrated;
}

/** Returns the contents of an SQLite database as an engine opens them. */
export async function imageOf(engine: Pick<Engine, 'backup'>): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'pipit-image-'));
  const file = join(folder, 'image.db');
  try {
    await engine.backup(file);
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Lists the tables of the database. */
export function testTableNames(db: Queryable): Promise<readonly string[]> {
  return (isOnPostgres() ? postgresDialect : sqliteDialect).tableNames(db);
}

function isOnPostgres(): boolean {
  return process.env['PIPIT_TEST_ENGINE'] === 'postgres';
}

/**
 * Whether engines refuse their use inside a transaction body. Watching each promise for it costs Node 20 a tenth of its
 * time, and the bodies are the same on every engine.
 */
export const detectsNesting = !isOnPostgres();
