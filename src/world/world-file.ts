import { join } from 'node:path';
import { access, constants, readFile, stat } from 'node:fs/promises';
import { findOwnPackage } from '../core/package-folder.js';
import { readingFile, UnreadableFile } from '../core/unreadable-file.js';
import { loadWorld, type WorldDeps } from './load-world.js';
import { describeJsonFault } from './json-fault.js';
import { WorldRefused } from './faults.js';
import type { Added } from './pass.js';

/** The name of the world that the package contains (docs/demo.md). A file of this name is `./demo`. */
const DEMO = 'demo';

/** Loads a world file with `loadWorld`; `demo` is the demo world. Throws UnreadableFile, and WorldRefused also for invalid JSON. */
export async function loadWorldFile(deps: WorldDeps, file: string): Promise<Added> {
  try {
    return await loadWorld(deps, await readWorldFile(file));
  } catch (error) {
    if (error instanceof WorldRefused) throw new WorldRefused(error.faults, error.unlisted, file);
    throw error;
  }
}

/** Returns the document of a world file; `demo` is the demo world. Throws UnreadableFile, and WorldRefused for invalid JSON. */
export async function readWorldFile(file: string): Promise<unknown> {
  return parseJson(await readingFile(file, () => readFile(pathOf(file), 'utf8')));
}

/** Throws UnreadableFile for an unreadable world file, so that callers do not create a database first. */
export async function requireWorldFiles(files: readonly string[]): Promise<void> {
  for (const file of files) {
    await readingFile(file, () => access(pathOf(file), constants.R_OK));
    if ((await stat(pathOf(file))).isDirectory()) throw new UnreadableFile(file, 'it is a folder');
  }
}

function pathOf(file: string): string {
  return file === DEMO ? join(findOwnPackage()?.folder ?? '', 'examples', 'demo.json') : file;
}

function parseJson(text: string): unknown {
  const json = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(json);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new WorldRefused([{ path: '$', reason: `is not JSON: ${describeJsonFault(json)}` }]);
  }
}
