import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');

/** Arguments of node that run Pipit: the build of the test run (build-sources.ts), otherwise the sources. */
export const PROGRAM: readonly string[] = programOf(process.env['PIPIT_TEST_BUILD']);

function programOf(folder: string | undefined): readonly string[] {
  if (folder !== undefined) return [join(folder, 'cli.js')];
  return ['--import', join(ROOT, 'node_modules', 'tsx', 'dist', 'loader.mjs'), join(ROOT, 'src', 'cli.ts')];
}
