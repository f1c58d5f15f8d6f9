import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import type { createProcessIo } from './commands/process-io.js';
import type { run } from './commands/program.js';

/** What the built program exports (scripts/build.ts). */
export interface Program {
  readonly createProcessIo: typeof createProcessIo;
  readonly run: typeof run;
}

/** The names that the wrapper of the program declares. */
export const PROGRAM_PARAMETERS = ['require', 'module', 'ownMeta'] as const;

/** The file of the program in the folder of a build. */
export const PROGRAM_FILE = 'program.cjs';

/** Returns the file with the code that V8 compiled. Another version of Node or another processor needs another one. */
export function codeCacheFile(folder: string): string {
  return join(folder, `program-${process.version}-${process.platform}-${process.arch}.cache`);
}

/**
 * Loads the program of a build: one script, with the code that V8 compiled when it was built. As modules it would take
 * twice as long. V8 compiles the script if there is no such code, or if it does not fit.
 */
export function loadProgram(folder: string): { readonly script: Script; readonly program: Program } {
  const filename = join(folder, PROGRAM_FILE);
  const cacheFile = codeCacheFile(folder);
  const script = new Script(readFileSync(filename, 'utf8'), {
    // The compiled code contains the name, and a package must not contain paths of the machine that built it.
    filename: PROGRAM_FILE,
    cachedData: existsSync(cacheFile) ? readFileSync(cacheFile) : undefined,
  });
  const define = script.runInThisContext() as (require: NodeJS.Require, module: object, meta: object) => void;
  const module = { exports: {} as Program };
  // The scripts of threads and child processes are beside the program.
  const meta = { url: pathToFileURL(filename).href, dirname: folder, filename, resolve: import.meta.resolve };
  define(createRequire(filename), module, meta);
  return { script, program: module.exports };
}
