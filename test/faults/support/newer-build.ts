import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeCacheFile, PROGRAM_FILE } from '../../../src/compiled-program.js';
import { migrations } from '../../../src/database/migrations/all.js';

/** A step that adds what the build before it does not know. */
const STEP = `{
  version: ${migrations.length + 1},
  name: 'a later step',
  oldestBuild: ${migrations.length},
  statements: (ddl) => [
    'ALTER TABLE users ADD COLUMN nickname TEXT',
    "ALTER TABLE posts ADD COLUMN mood TEXT DEFAULT 'calm'",
    \`CREATE TABLE moods (id \${ddl.idKey}, name TEXT NOT NULL)\`,
  ],
}`;

/** A build of the program with one more migration. */
export interface NewerBuild extends AsyncDisposable {
  /** The arguments of node that run it. */
  readonly program: readonly string[];
}

/** The end of the list of migrations in the program. */
const LIST_END = /(\bmigrations\d* = \[[^\]]*)\];/g;

/** Copies the build of this run, with one more migration, which lets servers of that build go on. */
export async function buildNewer(): Promise<NewerBuild> {
  const build = process.env['PIPIT_TEST_BUILD'] ?? '';
  const folder = `${build}-newer`;
  // The modules that tests import are no part of the program.
  await cp(build, folder, { recursive: true, filter: (name) => name !== join(build, 'src') });
  // What V8 compiled is that of the build before.
  await rm(codeCacheFile(folder));
  const file = join(folder, PROGRAM_FILE);
  const code = await readFile(file, 'utf8');
  const lists = code.match(LIST_END)?.length ?? 0;
  if (lists !== 1) throw new Error(`the program holds ${lists} lists of migrations`);
  await writeFile(file, code.replace(LIST_END, `$1, ${STEP}];`));
  return {
    program: [join(folder, 'cli.js')],
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
