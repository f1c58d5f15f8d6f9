import { asNumber } from './decode.js';
import type { Queryable } from './engine.js';
import { WrongDatabase } from './errors.js';
import { countDeadJobs } from './jobs.js';
import { requireKnownSchema, type SchemaDialect } from './migrate.js';
import type { Migration } from './migrations/migration.js';
import { findSearchFormat } from './search-format.js';
import { sql } from './sql.js';

/** `problem`: something is wrong and should be mended. `warning`: it may hurt one day, or is slow. */
export type FindingLevel = 'ok' | 'warning' | 'problem';

/** What one check says, in a line for the operator. */
export interface Finding {
  readonly level: FindingLevel;
  readonly check: string;
  readonly message: string;
}

/** How an engine's own checks are made. */
export interface CheckOptions {
  /** Whether to read every page. */
  readonly isDeep: boolean;
  /** How many processes a server is to have on the database. */
  readonly processes: number;
}

/** A database opened to be looked at: nothing in it is changed, no schema brought up to date. */
export interface Inspection extends AsyncDisposable {
  /** As the operator knows it: `SQLite`, `PostgreSQL`. */
  readonly engine: string;
  readonly version: string;
  readonly db: Queryable;
  readonly dialect: SchemaDialect;
  /** What only this engine has: its settings, its files, its disk. */
  check(options: CheckOptions): Promise<readonly Finding[]>;
}

/** A worker id for snowflakes that a process holds. */
export interface OpenLease {
  readonly workerId: number;
  readonly untilMs: number;
}

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

/** Looks at a database of any engine: schema, worker ids, jobs, and what the engine itself checks. */
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
    const finding: Finding =
      pending === 0
        ? { level: 'ok', check, message: `version ${version}, up to date` }
        : { level: 'warning', check, message: `version ${version}; the next start brings ${pending} more` };
    return { version, finding };
  } catch (error) {
    if (!(error instanceof WrongDatabase)) throw error;
    return { version: 0, finding: { level: 'problem', check, message: error.message } };
  }
}

async function checkJobs(db: Queryable): Promise<Finding> {
  const dead = await countDeadJobs(db);
  const check = 'jobs';
  return dead === 0
    ? { level: 'ok', check, message: 'none is dead' }
    : { level: 'problem', check, message: `dead: ${dead}; pipit jobs lists them` };
}

async function checkSearchIndex(db: Queryable): Promise<Finding> {
  const { version, pending } = await findSearchFormat(db);
  const state = pending === 0 ? 'up to date' : `posts to index: ${pending}; a running server does it`;
  return { level: 'ok', check: 'search index', message: `format ${version}, ${state}` };
}

async function listOpenLeases(db: Queryable, nowMs: number): Promise<OpenLease[]> {
  const rows = await db.all(sql`SELECT worker_id, lease_until FROM snowflake_workers
    WHERE lease_until > ${nowMs} ORDER BY worker_id`);
  return rows.map((row) => ({
    workerId: asNumber(row['worker_id']),
    untilMs: asNumber(row['lease_until']),
  }));
}
