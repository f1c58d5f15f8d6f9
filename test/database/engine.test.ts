import { describe } from 'vitest';
import { engineCases } from './engine.cases.js';
import { memory, testEngines } from './engines.js';
import { snowflakeWorkerCases } from './snowflake-workers.cases.js';

describe.each([...new Set([...testEngines(), memory])])('engine $name', (kind) => {
  engineCases(kind);
  describe('snowflake workers', () => snowflakeWorkerCases(kind));
});
