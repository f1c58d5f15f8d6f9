import type { Clock } from '../core/clock.js';
import { asNumber, asText } from './decode.js';
import type { Ddl, Engine, Queryable, Tx } from './engine.js';
import { WrongDatabase } from './errors.js';
import type { Migration } from './migrations/migration.js';
import { rawSql, sql } from './sql.js';

/** What an engine tells about itself for migrations. */
export interface SchemaDialect {
  readonly ddl: Ddl;
  /** The names of all tables of the database (of Pipit's schema in it, where the engine has schemas). */
  tableNames(db: Queryable): Promise<readonly string[]>;
  /** Waits until no other process migrates; holds until the transaction ends. */
  lock(tx: Tx): Promise<void>;
}

/** Where applied steps are recorded. A database without it that has other tables is not Pipit's. */
const RECORD = 'pipit_migrations';

/**
 * Brings the schema up to date in one transaction: a step that fails leaves nothing half done, and of several processes
 * that start at once one does the work. Throws WrongDatabase as `requireKnownSchema` does.
 */
export async function migrate(
  engine: Pick<Engine, 'tx'>,
  dialect: SchemaDialect,
  migrations: readonly Migration[],
  clock: Clock,
): Promise<void> {
  await engine.tx('migrate', async (tx) => {
    await dialect.lock(tx);
    const applied = await requireKnownSchema(tx, dialect, migrations);
    await tx.run(rawSql(recordTable(dialect.ddl)));
    for (const migration of migrations.slice(applied)) await apply(tx, dialect.ddl, migration, clock());
  });
}

/**
 * Resolves to how many of `migrations` the database has; 0 for an empty one. Throws WrongDatabase when it is not
 * Pipit's, or has steps that this build does not know. Changes nothing.
 */
export async function requireKnownSchema(
  db: Queryable,
  dialect: SchemaDialect,
  migrations: readonly Migration[],
): Promise<number> {
  const tables = await dialect.tableNames(db);
  if (tables.length === 0) return 0;
  if (!tables.includes(RECORD))
    throw new WrongDatabase('the database belongs to another program: give Pipit one of its own');
  const applied = await db.all(sql`SELECT version, name FROM pipit_migrations ORDER BY version`);
  for (const row of applied) {
    requireKnown(migrations, asNumber(row['version']), asText(row['name']));
  }
  return applied.length;
}

function requireKnown(migrations: readonly Migration[], version: number, name: string): void {
  const known = migrations[version - 1];
  if (known?.name === name) return;
  throw new WrongDatabase(
    known
      ? `step ${version} of the database's schema is "${name}", here it is "${known.name}"`
      : `the database has schema version ${version} ("${name}"), this Pipit knows up to ${migrations.length}: ` +
          'run a newer Pipit',
  );
}

async function apply(tx: Tx, ddl: Ddl, migration: Migration, nowMs: number): Promise<void> {
  for (const statement of migration.statements(ddl)) await tx.run(rawSql(statement));
  await tx.run(sql`INSERT INTO pipit_migrations (version, name, applied_at)
    VALUES (${migration.version}, ${migration.name}, ${nowMs})`);
}

function recordTable(ddl: Ddl): string {
  return `CREATE TABLE IF NOT EXISTS ${RECORD} (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    applied_at BIGINT NOT NULL
  )${ddl.clustered}`;
}
