import { describe } from 'vitest';
import { engineCases } from './engine.cases.js';
import { memory, testEngines } from './engines.js';
import { migrateCases, migrationListCases } from './migrate.cases.js';
import { sharedDatabaseCases } from './shared-database.cases.js';
import { snowflakeWorkerCases } from './snowflake-workers.cases.js';

describe.each([...new Set([...testEngines(), memory])])('engine $name', (kind) => {
  engineCases(kind);
  describe('snowflake workers', () => snowflakeWorkerCases(kind));
  if (kind.isShared) {
    describe('one database, several processes', () => sharedDatabaseCases(kind));
    describe('migrations', () => migrateCases(kind));
  }
});

describe('the list of migrations', migrationListCases);
