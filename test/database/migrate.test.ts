import { describe } from 'vitest';
import { testEngines } from './engines.js';
import { migrateCases, migrationListCases } from './migrate.cases.js';

const shared = testEngines().filter((kind) => kind.isShared);

describe.each(shared)('migrations on $name', (kind) => migrateCases(kind));

describe('the list of migrations', migrationListCases);
