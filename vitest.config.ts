import { dirname, join, relative } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { chooseEngines } from './test/support/test-engines.js';

/** What runs on each engine, beyond what test/database/ runs on all of them by itself. */
const ON_EVERY_ENGINE = [
  'test/activity/**/*.test.ts',
  'test/api/**/*.test.ts',
  'test/auth/**/*.test.ts',
  'test/checks/**/*.test.ts',
  'test/processes/{cache-model,exchange,hidden-classes,visibility}.test.ts',
  'test/world/**/*.test.ts',
  'test/archive/{fidelity,home-timelines,import-command,import-twarc,refusals,usernames}.test.ts',
  'test/jobs/**/*.test.ts',
  'test/journal/explanations.test.ts',
  'test/streams/**/*.test.ts',
  'test/webhooks/**/*.test.ts',
  'test/faults/{compliance-kill,feed-kill,process-races,streams-kill,webhook-kill}.test.ts',
  'test/cli/serve-on-engine.test.ts',
  'test/web/{account-races,oauth1,oauth2,oauth2-refresh,post-pages,sign-up}.test.ts',
  'test/wire/{paginators,twitter-api-v2}.test.ts',
];

/**
 * What does the same on every engine: it decodes media in other processes, fills sockets, or is about requests before and
 * answers after the statements, which other tests run on every engine.
 */
const ON_SQLITE_ONLY = [
  'test/api/{access-levels,behind-tls,catalogue,credential-kinds,json-bodies,mcp,media-hostile}.test.ts',
  'test/api/{not-implemented,openapi,post-body,post-entities,rate-limit-table,rate-limits}.test.ts',
  'test/api/{request-input,request-log,sent-by-clients,sent-ids,shell,shown-fields,sockets}.test.ts',
  'test/api/{specification,thrown-errors,vocabularies}.test.ts',
  'test/auth/{key-file,oauth1}.test.ts',
  'test/world/schema.test.ts',
  'test/streams/slow-reader.test.ts',
  'test/webhooks/{outgoing,registration}.test.ts',
];

/** Tests that measure processor time, which is longer beside busy tests. */
const ALONE = ['test/growth/linear-time.test.ts', 'test/testing/fifty.test.ts'];

// Read by set-up.ts, in this process, and by the tests, in others.
const PIPIT_TEST_BUILD = join(import.meta.dirname, 'node_modules', '.cache', `pipit-tests-${process.pid}`);
process.env['PIPIT_TEST_BUILD'] = PIPIT_TEST_BUILD;
const SOURCES = join(import.meta.dirname, 'src');

/**
 * Resolves imports of the sources to their translation by build-sources.ts, which Node loads itself: twice as fast,
 * but errors show lines of the translation. When watching, tests run the sources.
 */
const translatedSources: Plugin = {
  name: 'translated-sources',
  enforce: 'pre',
  resolveId(imported, importer) {
    if (!importer || !imported.startsWith('.') || !imported.endsWith('.js')) return undefined;
    const file = relative(SOURCES, join(dirname(importer), imported));
    return file.startsWith('..') ? undefined : join(PIPIT_TEST_BUILD, 'src', file);
  },
};

const plugins = process.argv.includes('run') ? [translatedSources] : [];

/** Files of a few lines that run for seconds: the tests are in what they import. */
const SHORT_BUT_SLOW = /\/test\/(database\/(engine|feed|jobs|search|shared-database)|fuzz\/fuzz)\.test\.ts$/;

/** Starts those first on SQLite, the last project: a first run goes by the size of files, and would wait for them. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification): number => {
      if (project.name !== 'sqlite') return 0;
      return SHORT_BUT_SLOW.test(moduleId) ? 1 : 2;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

const { engines } = await chooseEngines(process.env);
process.env['PIPIT_TEST_ENGINES'] = engines.join(',');
const limits = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // No module keeps the state of a test, so files share the modules of their worker. Loading them again for each file
  // would take half of the run.
  isolate: false,
  // Each test makes a server and drops it: less of it outlives a young generation of this size.
  execArgv: ['--max-semi-space-size=64'],
};
const env = { PIPIT_TEST_ENGINES: process.env['PIPIT_TEST_ENGINES'], PIPIT_TEST_BUILD };

/** The output names the project, and so the engine, beside each file. */
const sqlite = {
  plugins,
  test: {
    ...limits,
    name: 'sqlite',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/citus/**', ...ALONE],
    env: { ...env, PIPIT_TEST_ENGINE: 'sqlite' },
  },
};

/** Runs after all others. */
const alone = {
  plugins,
  test: {
    ...sqlite.test,
    name: 'alone',
    include: ALONE,
    exclude: [],
    maxWorkers: 1,
    sequence: { groupOrder: 1 },
  },
};

const onServers = ['postgres', 'citus', 'pgbouncer'].map((name) => ({
  plugins,
  test: {
    ...limits,
    // Each statement goes through two servers, each transaction through two phases.
    ...(name === 'citus' && { testTimeout: 120_000, hookTimeout: 120_000 }),
    name,
    include: name === 'citus' ? [...ON_EVERY_ENGINE, 'test/citus/**/*.test.ts'] : ON_EVERY_ENGINE,
    exclude: ON_SQLITE_ONLY,
    env: { ...env, PIPIT_TEST_ENGINE: name },
  },
}));

export default defineConfig({
  test: {
    // Tests of killed processes wait for leases, so one more than two cores keep busy: a fifth less time.
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    globalSetup: 'test/support/set-up.ts',
    projects: [sqlite, alone, ...onServers.filter(({ test }) => engines.includes(test.name))],
  },
});
