import { basename, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const BUILD = process.env['PIPIT_TEST_BUILD'];

/** Arguments of node that run Pipit: the build of the test run (build-sources.ts), otherwise the sources. */
export const PROGRAM: readonly string[] = programOf(BUILD);

function programOf(folder: string | undefined): readonly string[] {
  if (folder !== undefined) return [join(folder, 'cli.js')];
  return ['--import', join(ROOT, 'node_modules', 'tsx', 'dist', 'loader.mjs'), join(ROOT, 'src', 'cli.ts')];
}

/** Returns the path of a script of the tests in the build of the test run. */
export function builtScript(file: string): string {
  if (BUILD === undefined) throw new Error('there is no build');
  return join(BUILD, `${basename(file, '.ts')}.js`);
}
