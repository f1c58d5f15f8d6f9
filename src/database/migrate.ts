import type { Clock } from '../core/clock.js';
import type { Ddl, Engine, Queryable, Tx } from './engine.js';
import { WrongDatabase } from './errors.js';
import type { Migration } from './migrations/migration.js';
import { asNumber, asText, rawSql, sql } from './sql.js';

/** What migrations need to know about an engine. */
export interface SchemaDialect {
  readonly ddl: Ddl;
  /** Returns the names of all tables of the database, or of Pipit's schema where the engine has schemas. */
  tableNames(db: Queryable): Promise<readonly string[]>;
  /** Waits until no other process migrates, and holds the lock until the transaction ends. */
  lock(tx: Tx): Promise<void>;
}

/** Records the applied steps. A database that has other tables but not this one does not belong to Pipit. */
const RECORD = 'pipit_migrations';

/**
 * Brings the schema up to date in one transaction: a failing step leaves no partial changes, and of several processes
 * starting at once one does the work. Throws WrongDatabase as `requireKnownSchema` does.
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
 * Returns how many of `migrations` are applied; 0 for an empty database. Throws WrongDatabase if the database does
 * not belong to Pipit or has steps unknown to this build. Changes nothing.
 */
export async function requireKnownSchema(
  db: Queryable,
  dialect: SchemaDialect,
  migrations: readonly Migration[],
): Promise<number> {
  const tables = await dialect.tableNames(db);
  if (tables.length === 0) return 0;
  if (!tables.includes(RECORD))
    throw new WrongDatabase('the database belongs to another program: use a separate database for Pipit');
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
      ? `schema step ${version} of the database is "${name}", this Pipit expects "${known.name}"`
      : `the database has schema version ${version} ("${name}"), this Pipit supports up to ${migrations.length}: ` +
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
