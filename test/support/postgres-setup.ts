import type { TestProject } from 'vitest/node';
import { openPostgres } from '../../src/database/postgres/engine.js';
import { describeDatabase, type DatabaseContents } from './database-contents.js';
import { startPgBouncer } from './pgbouncer.js';
import { createDatabase, startPostgres, UNSAFE_BUT_FAST } from './postgres.js';

/** Where tests create databases. */
export interface ServerOfRun {
  /** The administrator’s database. */
  readonly server: string;
  /** Where tests reach databases, if not at `server`. */
  readonly front?: string;
  /** Those of the other servers of a cluster, on which each database exists too. */
  readonly others: readonly string[];
  /** An empty database, used as template. */
  readonly bare: string;
  /** A database with Pipit’s schema, used as template. */
  readonly template: string;
  /** The contents of the template. */
  readonly initialContents: DatabaseContents;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Absent without PostgreSQL. */
    readonly postgres?: ServerOfRun;
    /** The same server behind PgBouncer; absent without it. */
    readonly pgbouncer?: ServerOfRun;
  }
}

/** Most statements of a test run once: five plans for their values would take longer than running them. */
const ONE_PLAN = 'plan_cache_mode=force_generic_plan';

/** Starts one server for the whole run, and PgBouncer in front of it if the run uses that. */
export async function startPostgresOfRun(
  project: TestProject,
  engines: readonly string[],
): Promise<() => Promise<void>> {
  const server = await startPostgres([...UNSAFE_BUT_FAST, ONE_PLAN]);
  const url = server.socketUrl('postgres');
  const template = await createDatabase(url);
  const engine = await openPostgres({ url: server.socketUrl(template), durability: 'relaxed' });
  await engine.close();
  const initialContents = await describeDatabase(server.socketUrl(template));
  const run: ServerOfRun = { server: url, others: [], bare: 'template1', template, initialContents };
  if (engines.includes('postgres')) project.provide('postgres', run);
  if (!engines.includes('pgbouncer')) return server.remove;
  const bouncer = await startPgBouncer(server.url('postgres'));
  project.provide('pgbouncer', { ...run, front: bouncer.url });
  return async () => {
    await bouncer.remove();
    await server.remove();
  };
}
