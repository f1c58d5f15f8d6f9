import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { postgresDialect } from '../../src/database/postgres/schema-dialect.js';
import { sqliteDialect } from '../../src/database/sqlite/schema-dialect.js';
import { startTestApp } from '../support/app.js';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'design', 'exports.md');

/** Returns the tables that the first column of the page's tables names. */
async function documentedTables(): Promise<string[]> {
  const rows = (await readFile(PAGE, 'utf8')).split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) => (row.split('|')[1] ?? '').match(/(?<=`)\w+(?=`)/g) ?? []);
}

/** Tables of the index of one engine, and of distributed databases. */
const OF_SOME_ENGINES = /^(?:search|cluster)_/;

/** The partitions of an index, which come and go. */
const PARTITION = /^search_posts_\d+$/;

test('docs/design/exports.md says of each table where an export has it, or why not', async () => {
  await using app = await startTestApp({ world: null });
  const { engine } = app.pipit.backend;
  const tables = await sqliteDialect.tableNames(engine).catch(() => postgresDialect.tableNames(engine));
  const documented = await documentedTables();
  expect(new Set(documented).size).toBe(documented.length);
  expect(tables.filter((name) => !PARTITION.test(name) && !documented.includes(name))).toEqual([]);
  const others = documented.filter((name) => !tables.includes(name) && !OF_SOME_ENGINES.test(name));
  expect(others).toEqual([]);
});
