import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundle } from '../../scripts/build.js';

/** The build folder of this run, set by the configuration. */
const FOLDER = process.env['PIPIT_TEST_BUILD'] ?? '';

/**
 * Builds the program once per run for servers that run as processes: translating the sources at load would take each
 * of them a second (test/support/program.ts).
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildProgram();
  project.onTestsRerun(buildProgram);
  return () => rm(FOLDER, { recursive: true, force: true });
}

async function buildProgram(): Promise<void> {
  await bundle(FOLDER);
  // Outside node_modules the file name alone tells what is source.
  await writeFile(join(FOLDER, 'package.json'), '{"type":"module"}');
}
