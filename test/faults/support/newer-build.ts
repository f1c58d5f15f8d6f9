import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { bundle } from '../../../scripts/build.js';
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

/** Adds the step to the list of migrations. */
const withStep: Plugin = {
  name: 'a later step',
  setup: ({ onLoad }) => {
    onLoad({ filter: /migrations[/\\]all\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(/\n\];/, `\n  ${STEP},\n];`),
      loader: 'ts',
    }));
  },
};

/** A build of the program with one more migration. */
export interface NewerBuild extends AsyncDisposable {
  /** The arguments of node that run it. */
  readonly program: readonly string[];
}

/** Builds Pipit with one more migration, which lets servers of the build of this run go on. */
export async function buildNewer(): Promise<NewerBuild> {
  const folder = `${process.env['PIPIT_TEST_BUILD']}-newer`;
  await bundle(folder, [], [withStep]);
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  return {
    program: [join(folder, 'cli.js')],
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
