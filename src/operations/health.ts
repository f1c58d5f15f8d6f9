import type { Queryable } from '../database/engine.js';
import { WrongDatabase } from '../database/errors.js';
import {
  type CheckOptions,
  type Finding,
  type Inspection,
  ok,
  problem,
  warning,
} from '../database/inspection.js';
import { requireKnownSchema } from '../database/migrate.js';
import type { Migration } from '../database/migrations/migration.js';
import { findSearchFormat } from '../database/search-format.js';
import { listOpenLeases, type OpenLease } from '../database/snowflake-workers.js';
import { countDeadJobs } from '../stores/jobs.js';

export interface Health {
  readonly engine: string;
  readonly version: string;
  readonly schemaVersion: number;
  readonly knownSchemaVersion: number;
  readonly leases: readonly OpenLease[];
  readonly findings: readonly Finding[];
}

export interface HealthOptions extends CheckOptions {
  readonly nowMs: number;
  readonly migrations: readonly Migration[];
}

/** Checks a database of any engine: schema, worker ids, jobs, and the engine's own checks. */
export async function checkHealth(inspection: Inspection, options: HealthOptions): Promise<Health> {
  const { db, engine, version } = inspection;
  const { migrations, nowMs } = options;
  const schema = await checkSchema(inspection, migrations);
  const own = await inspection.check(options);
  const tables = new Set(await inspection.dialect.tableNames(db));
  return {
    engine,
    version,
    schemaVersion: schema.version,
    knownSchemaVersion: migrations.length,
    leases: tables.has('snowflake_workers') ? await listOpenLeases(db, nowMs) : [],
    findings: [
      schema.finding,
      ...own,
      ...(tables.has('jobs') ? [await checkJobs(db)] : []),
      ...(tables.has('search_format') ? [await checkSearchIndex(db)] : []),
    ],
  };
}

async function checkSchema(
  { db, dialect }: Inspection,
  migrations: readonly Migration[],
): Promise<{ version: number; finding: Finding }> {
  const check = 'schema';
  try {
    const version = await requireKnownSchema(db, dialect, migrations);
    const pending = migrations.length - version;
    const finding =
      pending === 0
        ? ok(check, `version ${version}, up to date`)
        : warning(check, `version ${version}; the next start applies ${pending} more`);
    return { version, finding };
  } catch (error) {
    if (!(error instanceof WrongDatabase)) throw error;
    return { version: 0, finding: problem(check, error.message) };
  }
}

async function checkJobs(db: Queryable): Promise<Finding> {
  const dead = await countDeadJobs(db);
  return dead === 0
    ? ok('jobs', 'no dead jobs')
    : problem('jobs', `dead jobs: ${dead}; pipit jobs lists them`);
}

async function checkSearchIndex(db: Queryable): Promise<Finding> {
  const { version, pending } = await findSearchFormat(db);
  const state = pending === 0 ? 'up to date' : `posts to index: ${pending}; a running server indexes them`;
  return ok('search index', `format ${version}, ${state}`);
}
