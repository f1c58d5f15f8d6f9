import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { DATA_FOLDER } from '../../src/server/backend.js';
import { systemClock, type Clock } from '../../src/core/clock.js';
import type { Engine, Queryable } from '../../src/database/engine.js';
import { openEngine } from '../../src/database/open-engine.js';
import { postgresDialect } from '../../src/database/postgres/schema-dialect.js';
import { sqliteDialect } from '../../src/database/sqlite/schema-dialect.js';
import { createClearing, openContents, type ContentsAccess } from './database-contents.js';
import { createDatabase, databaseUrl, dropDatabase } from './postgres.js';
import type { ServerOfRun } from './postgres-setup.js';
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

/** The engines whose databases are on a server. */
export type ServerEngine = (typeof ON_SERVERS)[number];

const ON_SERVERS = ['postgres', 'citus', 'pgbouncer'] as const;

/** Databases of this process that were reset for reuse: creating and dropping one takes as long as a short test. */
const reusable: Record<`${ServerEngine}:${InitialContents}`, ReusedDatabase[]> = {
  'postgres:nothing': [],
  'postgres:schema': [],
  'citus:nothing': [],
  'citus:schema': [],
  'pgbouncer:nothing': [],
  'pgbouncer:schema': [],
};

if (isOnServer()) reuseConnections();

interface ReusedDatabase {
  readonly url: string;
  readonly contents?: ContentsAccess;
  reset(): Promise<void>;
}

/** Creates a database on the engine of the project (vitest.config.ts). It must be closed before it is removed. */
export async function createTestDatabase(users: Users = 'this process'): Promise<TestDatabaseUrl> {
  if (!isOnServer()) {
    return { url: 'sqlite::memory:', dataFolder: undefined, remove: () => Promise.resolve() };
  }
  if (users === 'processes') return createDatabaseForProcesses();
  const { url, contents, remove } = await createPostgresDatabase('schema');
  return { ...(await withDataFolder(url, remove)), contents };
}

/** Creates a database on a server of the run. Its connections must be closed before it is removed. */
export async function createPostgresDatabase(
  contents: InitialContents,
  engine: ServerEngine = engineOfProject() ?? 'postgres',
): Promise<Pick<TestDatabaseUrl, 'url' | 'contents' | 'remove'>> {
  // Without its schema Citus is not sound any more.
  if (engine === 'citus' && contents === 'nothing') return createOnce(contents, engine);
  const free = reusable[`${engine}:${contents}`];
  const database = free.pop() ?? (await createReusedDatabase(contents, engine));
  return {
    ...database,
    remove: async () => {
      await database.reset();
      free.push(database);
    },
  };
}

async function createReusedDatabase(initial: InitialContents, engine: ServerEngine): Promise<ReusedDatabase> {
  const { server, front = server, others, bare, template, initialContents } = serverOf(engine);
  const name = await createDatabase(server, initial === 'schema' ? template : bare, others);
  const url = databaseUrl(front, name);
  if (initial === 'nothing') return { url, reset: await createClearing(url) };
  const contents = await openContents(url, initialContents);
  return { url, contents, reset: contents.reset };
}

async function createDatabaseForProcesses(initial: InitialContents = 'schema'): Promise<TestDatabaseUrl> {
  const { url, remove } = await createOnce(initial, engineOfProject() ?? 'postgres');
  return withDataFolder(url, remove);
}

/** Creates a database that is not reused. */
async function createOnce(
  initial: InitialContents,
  engine: ServerEngine,
): Promise<Pick<TestDatabaseUrl, 'url' | 'remove'>> {
  const { server, front = server, others, bare, template } = serverOf(engine);
  const name = await createDatabase(server, initial === 'schema' ? template : bare, others);
  const remove = async (): Promise<void> => {
    // Not awaited: the server is removed at the end of the run anyway.
    dropDatabase(server, name, others).catch(() => undefined);
  };
  return { url: databaseUrl(front, name), remove };
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

function serverOf(engine: ServerEngine): ServerOfRun {
  const run = inject(engine);
  if (!run) throw new Error(`this run has no ${engine}`);
  return run;
}

/** Returns the engine of the project; undefined for SQLite. */
function engineOfProject(): ServerEngine | undefined {
  return ON_SERVERS.find((name) => name === process.env['PIPIT_TEST_ENGINE']);
}

/** A database in a temporary folder that several servers or processes can open, and in which they run. */
export interface SharedDatabase extends TestDatabaseUrl, AsyncDisposable {
  readonly folder: string;
  /** Returns a path in the folder. */
  file(name: string): string;
}

/**
 * Creates a database on the engine of the project: a file in the folder, or on the run’s server. It already has the
 * schema, unless `isBare`. Only one on the server whose users are all in this process is reused.
 */
export async function createSharedDatabase({
  isBare = false,
  users = 'processes',
}: { isBare?: boolean; users?: Users } = {}): Promise<SharedDatabase> {
  const database =
    isBare && isOnServer() ? await createDatabaseForProcesses('nothing') : await createTestDatabase(users);
  const folder = await mkdtemp(join(tmpdir(), 'pipit-shared-'));
  const file = (name: string): string => join(folder, name);
  if (!isBare && !isOnServer()) await writeFile(file('pipit.db'), await emptyImage(), { mode: 0o600 });
  const remove = async (): Promise<void> => {
    await rm(folder, { recursive: true, force: true });
    await database.remove();
  };
  return {
    url: isOnServer() ? database.url : `sqlite:${file('pipit.db')}`,
    dataFolder: isOnServer() ? file(DATA_FOLDER) : undefined,
    folder,
    file,
    remove,
    [Symbol.asyncDispose]: remove,
  };
}

/** Opens an engine on an empty database of the project’s engine, which is removed on close. */
export async function openTestEngine(clock: Clock = systemClock): Promise<Engine> {
  const database = await createTestDatabase();
  const image = isOnServer() ? undefined : await emptyImage();
  const engine = await openEngine(database.url, { durability: 'relaxed', clock, detectsNesting, image });
  const close = async (): Promise<void> => {
    await engine.close();
    await database.remove();
  };
  return { ...engine, close };
}

let migrated: Promise<Buffer> | undefined;

/** Returns an SQLite database with the schema: running its migrations takes longer than most tests. */
export function emptyImage(): Promise<Buffer> {
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
  return (isOnServer() ? postgresDialect : sqliteDialect).tableNames(db);
}

/** Reports whether the engine of the project has a database server. */
export function isOnServer(): boolean {
  return engineOfProject() !== undefined;
}

/**
 * Whether engines refuse their use inside a transaction body. Watching each promise for it costs Node 20 a tenth of its
 * time, and the bodies are the same on every engine.
 */
export const detectsNesting = !isOnServer();
