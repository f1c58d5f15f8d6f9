import type { TestProject } from 'vitest/node';
import { buildSources } from './build-sources.js';
import { startPostgresOfRun } from './postgres-setup.js';

/** Prepares what all tests of a run share: the built sources, and PostgreSQL if it is there. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const hasPostgres = process.env['PIPIT_TEST_ENGINES']?.split(',').includes('postgres');
  const removals = await Promise.all([
    buildSources(project),
    ...(hasPostgres ? [startPostgresOfRun(project)] : []),
  ]);
  return async () => {
    await Promise.all(removals.map((remove) => remove()));
  };
}
