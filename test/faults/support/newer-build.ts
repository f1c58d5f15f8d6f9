import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

/** The end of the list of migrations in a bundle. */
const LIST_END = /(var migrations\d* = \[[^\]]*)\];/;

/** Copies the build of this run, with one more migration, which lets servers of that build go on. */
export async function buildNewer(): Promise<NewerBuild> {
  const build = process.env['PIPIT_TEST_BUILD'] ?? '';
  const folder = `${build}-newer`;
  // The modules that tests import are no part of the program.
  await cp(build, folder, { recursive: true, filter: (name) => name !== join(build, 'src') });
  let count = 0;
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.js')) continue;
    const code = await readFile(join(folder, name), 'utf8');
    if (!LIST_END.test(code)) continue;
    await writeFile(join(folder, name), code.replace(LIST_END, `$1, ${STEP}];`));
    count += 1;
  }
  if (count !== 1) throw new Error(`${count} files of the build hold the list of migrations`);
  return {
    program: [join(folder, 'cli.js')],
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
