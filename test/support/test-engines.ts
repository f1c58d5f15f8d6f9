import { findCitus } from './citus-cluster.js';
import { findPgBouncer } from './pgbouncer.js';
import { findPrograms } from './postgres-programs.js';

/** The engines of a test run, determined once before it starts. */
export interface TestRun {
  /**
   * From PIPIT_TEST_ENGINES, separated by commas; by default SQLite and, where available, PostgreSQL. Others run only
   * if they are named: `citus`, and `pgbouncer` for PostgreSQL behind PgBouncer.
   */
  readonly engines: readonly string[];
}

/** Warns when an engine is not available. Fails if it is PostgreSQL and was named, or in CI (CI=true). */
export async function chooseEngines(env: NodeJS.ProcessEnv): Promise<TestRun> {
  const requested = env['PIPIT_TEST_ENGINES'];
  const names = requested?.split(',').map((name) => name.trim()) ?? ['sqlite', 'postgres'];
  const engines: string[] = [];
  for (const name of names) {
    const reason = await missingReason(name);
    if (reason === undefined) engines.push(name);
    else if (name === 'postgres' && (requested !== undefined || env['CI'] === 'true'))
      throw new Error(`no PostgreSQL for the tests: ${reason}`);
    else console.warn(`SKIPPED: every test on ${name}, as it is not available: ${reason}`);
  }
  return { engines };
}

/** Returns why an engine is not available on this machine; undefined when it is. */
async function missingReason(engine: string): Promise<string | undefined> {
  if (engine === 'postgres') return missingPostgresReason();
  if (engine === 'citus') return findCitus() ? undefined : 'scripts/citus-dev.sh builds and installs it';
  if (engine === 'pgbouncer')
    return findPgBouncer() ? missingPostgresReason() : 'apt-get install pgbouncer installs it';
  return undefined;
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
