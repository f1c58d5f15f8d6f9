import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '..', '..', 'src');

/** The engines themselves, and who chooses between them. */
const MAY_KNOW = /^database\/(sqlite\/|postgres\/|open-engine\.ts$)/;

/** What only one engine understands, or means otherwise, as it would stand in a statement. */
const DIALECT =
  /\b(PRAGMA|BLOB|BYTEA|zeroblob|json_each|json_extract|unnest|sqlite_master|sqlite_schema|pg_\w+|WITHOUT ROWID|INSERT OR|AUTOINCREMENT|ILIKE|GLOB|last_insert_rowid|NOTIFY|FOR UPDATE|SKIP LOCKED|advisory_lock)\b|::(bigint|text|int)\b|\$[0-9]+\b|= ANY\b/;

/** Statements on copies of SQLite's files (pipit backup), which other engines do not have. */
const BACKUPS = 'stores/backups.ts';

/** SQLite as a library of file locks, and as the format of a file that somebody wants to import: no engine is asked. */
const OTHER_USES: readonly string[] = ['database/file-lock.ts', 'archive/recognize.ts'];

async function sourceFiles(): Promise<string[]> {
  const names = await readdir(SOURCES, { recursive: true });
  return names
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /\.ts$/.test(name) && !/\.test\.ts$/.test(name));
}

/** The template literals after `sql` and `rawSql(`, and all that migrations hold. */
async function statementsIn(file: string): Promise<string[]> {
  const text = await readFile(join(SOURCES, file), 'utf8');
  if (file.startsWith('database/migrations/')) return [text];
  return [...text.matchAll(/(?:\bsql|\brawSql\()\s*[`']([^`]*?)[`']/g)].map((match) => match[1] ?? '');
}

test('text that only one engine understands is in the folders of the engines, nowhere else', async () => {
  const found: string[] = [];
  let statements = 0;
  for (const file of await sourceFiles()) {
    if (MAY_KNOW.test(file) || file === BACKUPS) continue;
    for (const statement of await statementsIn(file)) {
      statements += 1;
      if (DIALECT.test(statement)) found.push(`${file}: ${statement}`);
    }
  }
  expect(statements).toBeGreaterThan(100);
  expect(found).toEqual([]);
});

test('no feature asks which engine it runs on', async () => {
  const found: string[] = [];
  for (const file of await sourceFiles()) {
    if (!/^(core|query|database|stores|services|limits|auth|views|http|api|web|world|archive)\//.test(file))
      continue;
    if (MAY_KNOW.test(file) || file === BACKUPS || OTHER_USES.includes(file)) continue;
    const code = (await readFile(join(SOURCES, file), 'utf8')).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    if (/sqlite|postgres/i.test(code)) found.push(file);
  }
  expect(found).toEqual([]);
});
