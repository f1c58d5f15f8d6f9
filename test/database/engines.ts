import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Clock } from '../../src/core/clock.js';
import type { Engine } from '../../src/database/engine.js';
import type { Migration } from '../../src/database/migrations/migration.js';
import { openPostgres } from '../../src/database/postgres/engine.js';
import { openSqlite } from '../../src/database/sqlite/engine.js';
import { createDatabase, databaseUrl, dropDatabase } from '../support/postgres.js';

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
  create(): Promise<TestDatabase>;
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

/** PostgreSQL, on the server of the run. */
const postgres: TestEngine = {
  name: 'postgres',
  isShared: true,
  isSerial: false,
  create: async () => {
    const server = inject('postgres')?.server;
    if (server === undefined) throw new Error('this run has no PostgreSQL');
    const name = await createDatabase(server);
    const url = databaseUrl(server, name);
    return database(
      (options) => openPostgres({ url, durability: 'full', cachedTables: ['notes'], ...options }),
      () => dropDatabase(server, name),
    );
  },
};

const ENGINES: readonly TestEngine[] = [sqlite, memory, postgres];

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
