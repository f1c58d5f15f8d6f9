import { afterEach, beforeEach, expect, test } from 'vitest';
import { WrongDatabase } from '../../src/database/errors.js';
import { migrations } from '../../src/database/migrations/all.js';
import type { Migration } from '../../src/database/migrations/migration.js';
import { asNumber, asText, sql } from '../../src/database/sql.js';
import type { TestDatabase, TestEngine } from './engines.js';
import { countNotes, insertNote, notesMigration } from './notes.js';

const tags: Migration = {
  version: 2,
  name: 'tags',
  statements: (ddl) => [`CREATE TABLE tags (id ${ddl.idKey})`, `INSERT INTO tags (id) VALUES (7)`],
};

const broken: Migration = {
  version: 2,
  name: 'tags',
  statements: (ddl) => [`CREATE TABLE tags (id ${ddl.idKey})`, 'INSERT INTO nowhere VALUES (1)'],
};

/** The contract of migrations on every engine with persistent databases. */
export function migrateCases(kind: TestEngine): void {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await kind.create();
  });

  afterEach(() => database.remove());

  const openOnce = async (steps: readonly Migration[]): Promise<void> => {
    const engine = await database.open({ migrations: steps });
    await engine.close();
  };

  test('migrations are recorded with their time and run once', async () => {
    await openOnce([notesMigration]);
    const engine = await database.open({ migrations: [notesMigration, tags], clock: () => 1234 });
    await database.open({ migrations: [notesMigration, tags] });
    const rows = await engine.all(
      sql`SELECT version, name, applied_at FROM pipit_migrations ORDER BY version`,
    );
    expect(rows.map((row) => [asNumber(row['version']), asText(row['name'])])).toEqual([
      [1, 'notes'],
      [2, 'tags'],
    ]);
    expect(asNumber(rows[1]?.['applied_at'])).toBe(1234);
    expect(await engine.all(sql`SELECT id FROM tags`)).toHaveLength(1);
  });

  test('a newer database is refused and unchanged', async () => {
    await openOnce([notesMigration, tags]);
    const opening = database.open({ migrations: [notesMigration] });
    await expect(opening).rejects.toThrow(WrongDatabase);
    await expect(database.open({ migrations: [notesMigration] })).rejects.toThrow('run a newer Pipit');
    await openOnce([notesMigration, tags]);
  });

  test('a build goes on beside newer ones until a step needs what it lacks', async () => {
    const version = migrations.length + 1;
    const expand: Migration = {
      version,
      name: 'expand',
      oldestBuild: version - 1,
      statements: () => ['ALTER TABLE users ADD COLUMN nickname TEXT'],
    };
    const contract: Migration = {
      version: version + 1,
      name: 'contract',
      oldestBuild: version,
      statements: () => ['ALTER TABLE users DROP COLUMN name'],
    };
    await openOnce([...migrations, expand]);
    await openOnce(migrations);
    await openOnce([...migrations, expand, contract]);
    await openOnce([...migrations, expand]);
    const opening = database.open({ migrations });
    await expect(opening).rejects.toThrow(
      `schema version ${version + 1} ("contract"), this Pipit supports up to`,
    );
  });

  test('a database with another name for a migration is refused', async () => {
    await openOnce([notesMigration]);
    const renamed = { ...notesMigration, name: 'other' };
    await expect(database.open({ migrations: [renamed] })).rejects.toThrow(WrongDatabase);
  });

  test('a failed migration is rolled back', async () => {
    const first = await database.open({ migrations: [notesMigration] });
    await first.tx('note', (tx) => insertNote(tx, 1n));
    await first.close();
    await expect(database.open({ migrations: [notesMigration, broken] })).rejects.toThrow('nowhere');
    const engine = await database.open({ migrations: [notesMigration, tags] });
    expect(await countNotes(engine)).toBe(1);
    expect(await engine.all(sql`SELECT id FROM tags`)).toHaveLength(1);
  });
}

/** Checks of the list of migrations. */
export function migrationListCases(): void {
  test('the migrations are numbered from 1 without gaps, with distinct names', () => {
    expect(migrations.map((step) => step.version)).toEqual(migrations.map((_, index) => index + 1));
    expect(new Set(migrations.map((step) => step.name)).size).toBe(migrations.length);
  });
}
