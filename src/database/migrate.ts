import type { Clock } from '../core/clock.js';
import type { Ddl, Engine, Queryable, Tx } from './engine.js';
import { WrongDatabase } from './errors.js';
import type { Migration } from './migrations/migration.js';
import { sharedFacts } from './migrations/0051-shared-facts.js';
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
 * not belong to Pipit, or has steps of a newer build that does not let this one go on beside it. Changes nothing.
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
  for (const row of applied) requireNamed(migrations, asNumber(row['version']), asText(row['name']));
  const last = applied.at(-1);
  if (applied.length > migrations.length && (await findOldestBuild(db)) > migrations.length) {
    throw new WrongDatabase(
      `the database has schema version ${asNumber(last?.['version'])} ("${asText(last?.['name'])}"), ` +
        `this Pipit supports up to ${migrations.length}: run a newer Pipit`,
    );
  }
  return Math.min(applied.length, migrations.length);
}

function requireNamed(migrations: readonly Migration[], version: number, name: string): void {
  const known = migrations[version - 1];
  if (known && known.name !== name)
    throw new WrongDatabase(
      `schema step ${version} of the database is "${name}", this Pipit expects "${known.name}"`,
    );
}

/**
 * Returns the schema version of the oldest build that may serve the database. A database that is older than this rule
 * lets no older build serve.
 */
export async function findOldestBuild(db: Queryable): Promise<number> {
  const last = await db.get(sql`SELECT MAX(version) AS version FROM pipit_migrations`);
  const version = last?.['version'] === null ? 0 : asNumber(last?.['version']);
  if (version < sharedFacts.version) return version;
  // Each step allows builds since `oldest_build`, so all steps together allow those since the highest one.
  const row = await db.get(sql`
    SELECT MAX(COALESCE(oldest_build, version)) AS oldest FROM pipit_migrations`);
  return asNumber(row?.['oldest']);
}

async function apply(tx: Tx, ddl: Ddl, migration: Migration, nowMs: number): Promise<void> {
  const { version, name, oldestBuild } = migration;
  for (const statement of migration.statements(ddl)) await tx.run(rawSql(statement));
  await tx.run(sql`INSERT INTO pipit_migrations (version, name, applied_at)
    VALUES (${version}, ${name}, ${nowMs})`);
  if (oldestBuild === undefined) return;
  await tx.run(sql`UPDATE pipit_migrations SET oldest_build = ${oldestBuild} WHERE version = ${version}`);
}

function recordTable(ddl: Ddl): string {
  return `CREATE TABLE IF NOT EXISTS ${RECORD} (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    applied_at BIGINT NOT NULL
  )${ddl.clustered}`;
}
