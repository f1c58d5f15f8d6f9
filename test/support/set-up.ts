import type { TestProject } from 'vitest/node';
import { buildSources } from './build-sources.js';
import { startCitusOfRun } from './citus-setup.js';
import { startPostgresOfRun } from './postgres-setup.js';

/** Prepares what all tests of a run share: the built sources, and the database servers that it uses. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const engines = process.env['PIPIT_TEST_ENGINES']?.split(',') ?? [];
  const removals = await Promise.all([
    buildSources(project),
    ...(engines.some((name) => name === 'postgres' || name === 'pgbouncer')
      ? [startPostgresOfRun(project, engines)]
      : []),
    ...(engines.includes('citus') ? [startCitusOfRun(project)] : []),
  ]);
  return async () => {
    await Promise.all(removals.map((remove) => remove()));
  };
}
