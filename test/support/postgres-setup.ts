import type { TestProject } from 'vitest/node';
import { openPostgres } from '../../src/database/postgres/engine.js';
import { describeDatabase, type DatabaseContents } from './database-contents.js';
import { createDatabase, startPostgres, UNSAFE_BUT_FAST } from './postgres.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where tests create databases; absent without PostgreSQL. */
    readonly postgres?: {
      /** The administrator’s database. */
      readonly server: string;
      /** A database with Pipit’s schema, used as template. */
      readonly template: string;
      /** The contents of the template. */
      readonly initialContents: DatabaseContents;
    };
  }
}

/** Most statements of a test run once: five plans for their values would take longer than running them. */
const ONE_PLAN = 'plan_cache_mode=force_generic_plan';

/** Starts one server for the whole run. */
export async function startPostgresOfRun(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres([...UNSAFE_BUT_FAST, ONE_PLAN]);
  const url = server.socketUrl('postgres');
  const template = await createDatabase(url);
  const engine = await openPostgres({ url: server.socketUrl(template), durability: 'relaxed' });
  await engine.close();
  const initialContents = await describeDatabase(server.socketUrl(template));
  project.provide('postgres', { server: url, template, initialContents });
  return server.remove;
}
