import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '..', '..', 'src');

/** The engines, and the module that selects one. */
const ENGINE_FILES = /^database\/(sqlite\/|postgres\/|(?:open-engine|database-url)\.ts$)/;

/** Matches SQL that only one engine understands or that engines interpret differently. */
const DIALECT =
  /\b(PRAGMA|BLOB|BYTEA|zeroblob|json_each|json_extract|unnest|sqlite_master|sqlite_schema|pg_\w+|WITHOUT ROWID|INSERT OR|AUTOINCREMENT|ILIKE|GLOB|last_insert_rowid|NOTIFY|FOR UPDATE|SKIP LOCKED|advisory_lock)\b|::(bigint|text|int)\b|\$[0-9]+\b|= ANY\b/;

/** Statements on copies of SQLite files (pipit backup). */
const BACKUPS = 'stores/backups.ts';

/** SQLite as a library for file locks, and as the format of an import. */
const OTHER_USES: readonly string[] = ['database/file-lock.ts', 'archive/recognize.ts'];

async function sourceFiles(): Promise<string[]> {
  const names = await readdir(SOURCES, { recursive: true });
  return names
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /\.ts$/.test(name) && !/\.test\.ts$/.test(name));
}

/** Returns the template literals after `sql` and `rawSql(`, and all of those in migrations. */
async function statementsIn(file: string): Promise<string[]> {
  const text = await readFile(join(SOURCES, file), 'utf8');
  if (file.startsWith('database/migrations/')) return [text];
  return [...text.matchAll(/(?:\bsql|\brawSql\()\s*[`']([^`]*?)[`']/g)].map((match) => match[1] ?? '');
}

test('SQL of a single engine occurs in the folders of the engines only', async () => {
  const found: string[] = [];
  let statements = 0;
  for (const file of await sourceFiles()) {
    if (ENGINE_FILES.test(file) || file === BACKUPS) continue;
    for (const statement of await statementsIn(file)) {
      statements += 1;
      if (DIALECT.test(statement)) found.push(`${file}: ${statement}`);
    }
  }
  expect(statements).toBeGreaterThan(100);
  expect(found).toEqual([]);
});

test('no feature depends on the engine', async () => {
  const found: string[] = [];
  for (const file of await sourceFiles()) {
    if (!/^(core|query|database|stores|services|limits|auth|views|http|api|web|world|archive)\//.test(file))
      continue;
    if (ENGINE_FILES.test(file) || file === BACKUPS || OTHER_USES.includes(file)) continue;
    const code = (await readFile(join(SOURCES, file), 'utf8')).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    if (/sqlite|postgres/i.test(code)) found.push(file);
  }
  expect(found).toEqual([]);
});
