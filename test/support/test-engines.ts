import { findPrograms } from './postgres-programs.js';

/** The engines of a test run, determined once before it starts. */
export interface TestRun {
  /** From PIPIT_TEST_ENGINES, separated by commas; by default SQLite and, where available, PostgreSQL. */
  readonly engines: readonly string[];
  readonly hasPostgres: boolean;
}

/** Warns when PostgreSQL is not available, and fails in CI (CI=true). */
export async function chooseEngines(env: NodeJS.ProcessEnv): Promise<TestRun> {
  const requested = env['PIPIT_TEST_ENGINES'];
  const names = requested?.split(',').map((name) => name.trim()) ?? ['sqlite', 'postgres'];
  if (!names.includes('postgres')) return { engines: names, hasPostgres: false };
  const reason = await missingPostgresReason();
  if (reason === undefined) return { engines: names, hasPostgres: true };
  if (requested !== undefined || env['CI'] === 'true')
    throw new Error(`no PostgreSQL for the tests: ${reason}`);
  console.warn(`SKIPPED: every test on PostgreSQL, as it is not available: ${reason}`);
  return { engines: names.filter((name) => name !== 'postgres'), hasPostgres: false };
}

/** Returns why no server is available on this machine; undefined when one is. */
async function missingPostgresReason(): Promise<string | undefined> {
  try {
    await findPrograms();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
