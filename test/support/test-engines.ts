import { findPrograms } from './postgres-programs.js';

/** What a run of the tests is on, decided once, before it starts. */
export interface TestRun {
  /** Of PIPIT_TEST_ENGINES, comma separated; else SQLite and, where it can be brought along, PostgreSQL. */
  readonly engines: readonly string[];
  readonly hasPostgres: boolean;
}

/** Without PostgreSQL the run says so, and fails where nobody would read that (CI=true). */
export async function chooseEngines(env: NodeJS.ProcessEnv): Promise<TestRun> {
  const asked = env['PIPIT_TEST_ENGINES'];
  const names = asked?.split(',').map((name) => name.trim()) ?? ['sqlite', 'postgres'];
  if (!names.includes('postgres')) return { engines: names, hasPostgres: false };
  const reason = await whyNoPostgres();
  if (reason === undefined) return { engines: names, hasPostgres: true };
  if (asked !== undefined || env['CI'] === 'true') throw new Error(`no PostgreSQL for the tests: ${reason}`);
  console.warn(`SKIPPED: every test on PostgreSQL, as it cannot be run here: ${reason}`);
  return { engines: names.filter((name) => name !== 'postgres'), hasPostgres: false };
}

/** Why no server can be brought along on this machine; undefined when one can. */
async function whyNoPostgres(): Promise<string | undefined> {
  try {
    await findPrograms();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
