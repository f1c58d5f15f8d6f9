import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';

const ROOT = join(import.meta.dirname, '..', '..');
/** The build folder of this run, set by the configuration. */
const FOLDER = process.env['PIPIT_TEST_BUILD'] ?? '';

/**
 * Builds the sources once per run for servers that run as processes: translating the sources at load would take each
 * of them a second (test/support/program.ts).
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildSources();
  project.onTestsRerun(buildSources);
  return () => rm(FOLDER, { recursive: true, force: true });
}

async function buildSources(): Promise<void> {
  const names = await readdir(join(ROOT, 'src'), { recursive: true });
  await build({
    absWorkingDir: ROOT,
    entryPoints: names.filter(isSource).map((name) => join('src', name)),
    outdir: FOLDER,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'inline',
    sourcesContent: false,
    logLevel: 'warning',
  });
  // Outside node_modules the file name alone tells what is source.
  await writeFile(join(FOLDER, 'package.json'), '{"type":"module"}');
}

function isSource(name: string): boolean {
  return /\.[jt]s$/.test(name) && !name.endsWith('.test.ts');
}
