import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';

const ROOT = join(import.meta.dirname, '..', '..');
/** What the configuration of the run says; each run has a folder of its own. */
const FOLDER = process.env['PIPIT_TEST_BUILD'] ?? '';

/**
 * Servers that tests start as processes run what is built here, once for the whole run: a process that translates the
 * sources as it loads them needs a second of a core more (test/support/program.ts).
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
  // Below node_modules nothing else says what the files are.
  await writeFile(join(FOLDER, 'package.json'), '{"type":"module"}');
}

function isSource(name: string): boolean {
  return /\.[jt]s$/.test(name) && !name.endsWith('.test.ts');
}
