import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Queryable } from '../../src/storage/engine.js';
import { postgresDialect } from '../../src/storage/postgres/schema-dialect.js';
import { sqliteDialect } from '../../src/storage/sqlite/schema-dialect.js';
import { createDatabase, databaseUrl, dropDatabase } from './postgres.js';

/** An empty database for one test server. */
export interface TestDatabaseUrl {
  readonly url: string;
  /** Where what belongs to a database on a server is kept. */
  readonly dataFolder: string | undefined;
  remove(): Promise<void>;
}

/** On the engine that the project of the run names (vitest.config.ts). */
export async function createTestDatabase(): Promise<TestDatabaseUrl> {
  if (!isOnPostgres()) {
    return { url: 'sqlite::memory:', dataFolder: undefined, remove: () => Promise.resolve() };
  }
  const run = inject('postgres');
  if (!run) throw new Error('this run has no PostgreSQL');
  const name = await createDatabase(run.server, run.template);
  const dataFolder = await mkdtemp(join(tmpdir(), 'pipit-'));
  return {
    url: databaseUrl(run.server, name),
    dataFolder,
    remove: async () => {
      await rm(dataFolder, { recursive: true, force: true });
      await dropDatabase(run.server, name);
    },
  };
}

/** Every table of such a database. */
export function testTableNames(db: Queryable): Promise<readonly string[]> {
  return (isOnPostgres() ? postgresDialect : sqliteDialect).tableNames(db);
}

function isOnPostgres(): boolean {
  return process.env['PIPIT_TEST_ENGINE'] === 'postgres';
}
