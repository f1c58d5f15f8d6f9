import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../src/core/clock.js';
import type { Engine } from '../../src/database/engine.js';
import type { Migration } from '../../src/database/migrations/migration.js';
import { openPostgres } from '../../src/database/postgres/engine.js';
import { openSqlite } from '../../src/database/sqlite/engine.js';
import { createPostgresDatabase, type InitialContents, type ServerEngine } from '../support/test-database.js';

export interface OpenOptions {
  readonly migrations?: readonly Migration[];
  readonly clock?: Clock;
  readonly busyLimitMs?: number;
  /** `full` by default. */
  readonly durability?: 'full' | 'relaxed';
  /** For PostgreSQL; by default the tables of the tests. */
  readonly cachedTables?: readonly string[];
}

/** An empty database for one test. */
export interface TestDatabase {
  /** Opens the database as another process would; `remove` closes all engines opened. */
  open(options?: OpenOptions): Promise<Engine>;
  remove(): Promise<void>;
}

export interface TestEngine {
  readonly name: string;
  /** Whether several processes can open one database. */
  readonly isShared: boolean;
  /** Whether transactions run one after the other, in order of request. */
  readonly isSerial: boolean;
  /**
   * Creates a database. On PostgreSQL it holds nothing by default; with `schema` engines that are opened without
   * `migrations` need not run them, which takes longer than most tests.
   */
  create(contents?: InitialContents): Promise<TestDatabase>;
}

const sqlite: TestEngine = {
  name: 'sqlite',
  isShared: true,
  isSerial: true,
  create: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pipit-'));
    const file = join(folder, 'pipit.db');
    return database(
      (options) => openSqlite({ file, durability: 'full', ...options }),
      () => rm(folder, { recursive: true }),
    );
  },
};

/** SQLite in memory, as used by a development stand-in. */
export const memory: TestEngine = {
  name: 'memory',
  isShared: false,
  isSerial: true,
  create: async () =>
    database(
      (options) => openSqlite({ file: ':memory:', durability: 'relaxed', ...options }),
      () => Promise.resolve(),
    ),
};

/** A server of the run; on Citus a database with the schema is distributed. */
function onServer(name: ServerEngine): TestEngine {
  return {
    name,
    isShared: true,
    isSerial: false,
    create: async (contents = 'nothing') => {
      const { url, remove } = await createPostgresDatabase(contents, name);
      return database(
        (options) => openPostgres({ url, durability: 'full', cachedTables: ['notes'], ...options }),
        remove,
      );
    },
  };
}

const ENGINES: readonly TestEngine[] = [
  sqlite,
  memory,
  ...(['postgres', 'citus', 'pgbouncer'] as const).map(onServer),
];

/** Returns the engines named in PIPIT_TEST_ENGINES (comma separated), which vitest.config.ts sets by default. */
export function testEngines(): readonly TestEngine[] {
  const names = (process.env['PIPIT_TEST_ENGINES'] ?? 'sqlite').split(',').map((name) => name.trim());
  return names.map((name) => {
    const engine = ENGINES.find((known) => known.name === name);
    if (!engine) throw new Error(`PIPIT_TEST_ENGINES names ${name}; known are ${ENGINES.map((e) => e.name)}`);
    return engine;
  });
}

function database(
  open: (options: OpenOptions) => Promise<Engine>,
  remove: () => Promise<void>,
): TestDatabase {
  const opened: Engine[] = [];
  return {
    open: async (options = {}) => {
      const engine = await open(options);
      opened.push(engine);
      return engine;
    },
    remove: async () => {
      for (const engine of opened) await engine.close();
      await remove();
    },
  };
}
