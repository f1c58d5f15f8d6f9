import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundle, bundleClient, translate } from '../../scripts/build.js';

/** The build folder of this run, set by the configuration. */
const FOLDER = process.env['PIPIT_TEST_BUILD'] ?? '';

/** The scripts that tests run as processes, beside the program. */
const SCRIPTS = [
  'test/archive/import-child.ts',
  'test/faults/checking-process.ts',
  'test/faults/committing-process.ts',
  'test/faults/emitting-process.ts',
  'test/faults/racing-process.ts',
  'test/jobs/counting-process.ts',
  'test/testing/fixtures/fifty-process.ts',
];

/**
 * Builds the program and the scripts once per run: translating the sources at load would take each process a second
 * (test/support/program.ts).
 */
export async function buildSources(project: TestProject): Promise<() => Promise<void>> {
  await buildProgram();
  project.onTestsRerun(buildProgram);
  return () => rm(FOLDER, { recursive: true, force: true });
}

async function buildProgram(): Promise<void> {
  await Promise.all([bundle(FOLDER, SCRIPTS), bundleClient(FOLDER), translate(join(FOLDER, 'src'))]);
  // Outside node_modules the file name alone tells what is source.
  await writeFile(join(FOLDER, 'package.json'), '{"type":"module"}');
}
