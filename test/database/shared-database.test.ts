import { describe } from 'vitest';
import { testEngines } from './engines.js';
import { sharedDatabaseCases } from './shared-database.cases.js';

const shared = testEngines().filter((kind) => kind.isShared);

describe.each(shared)('one database, several processes, on $name', (kind) => sharedDatabaseCases(kind));
