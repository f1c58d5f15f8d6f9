import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { nearest } from '../core/nearest.js';
import {
  CommandRefused,
  type CommandIo,
  printResult,
  readLastingDatabase,
  type CommonOptions,
  type Result,
} from './command.js';
import { auditedEngine } from './audited-engine.js';
import { recordCommand } from './record-command.js';
import type { Command } from 'commander';
import type { Engine } from '../database/engine.js';
import type { Backend } from '../server/backend.js';
import { readKeyPlace } from '../server/config.js';

/** Refuses a missing SQLite database: only `serve`, `load`, `import` and `restore` create one. */
export async function requireDatabase(database: string): Promise<void> {
  const { databaseFile } = await import('../server/backend.js');
  const file = databaseFile(database);
  if (file === undefined || (await hasDatabase(file))) return;
  const { requireNoFolder } = await import('../server/database-use.js');
  await requireNoFolder(file);
  const near = await nearDatabase(file);
  const hint =
    near === undefined
      ? 'pipit serve, load, import or restore creates one, and --database selects another'
      : `did you mean ${near}?`;
  throw new CommandRefused(`there is no database at ${file}; ${hint}`);
}

/** Checks whether the SQLite file exists. Returns a function that prints a note if it was created since. */
export async function watchCreation(io: CommandIo, database: string): Promise<() => void> {
  const { databaseFile } = await import('../server/backend.js');
  const file = databaseFile(database);
  const isNew = file !== undefined && !(await hasDatabase(file));
  return () => {
    if (isNew) io.note(`created the database ${file}`);
  };
}

/** Reports whether a database exists: not for an empty file; also without access, which later errors explain. */
export async function hasDatabase(file: string): Promise<boolean> {
  try {
    const found = await stat(file);
    return found.isFile() && found.size > 0;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code)));
  }
}

/** Returns a database with a name similar to the missing one, in its folder or in a folder with a similar name. */
async function nearDatabase(file: string): Promise<string | undefined> {
  const folder = dirname(file);
  const siblings = await namesIn(dirname(folder));
  const nearFolder = nearest(basename(folder), siblings);
  for (const place of nearFolder === undefined ? [folder] : [folder, join(dirname(folder), nearFolder)]) {
    const near = nearest(basename(file), (await namesIn(place)).filter(isDatabaseName));
    if (near !== undefined && (await hasDatabase(join(place, near)))) return join(place, near);
  }
  return undefined;
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

/** Reports whether a file may be a database, not one of its side files. */
function isDatabaseName(name: string): boolean {
  return !/-(wal|shm|lock|pid|journal)$|\.key$/.test(name);
}

/**
 * Runs `work` on the selected database, closes it, and prints the result. Throws CommandRefused if there is no
 * database, unless the command `creates` one.
 */
export async function onDatabase(
  io: CommandIo,
  options: CommonOptions,
  work: (backend: Backend) => Promise<Result>,
  { creates = false } = {},
): Promise<void> {
  const database = readLastingDatabase(io, options);
  if (!creates) await requireDatabase(database);
  const noteCreation = await watchCreation(io, database);
  await withDatabase(io, options, async (backend) => {
    noteCreation();
    printResult(io, options, await work(backend));
  });
}

/**
 * Opens the selected database for `work` and closes it. What the command changes has an entry of the audit log, which is
 * committed with the first change.
 */
export async function withDatabase(
  io: CommandIo,
  options: CommonOptions,
  work: (backend: Backend) => Promise<void>,
): Promise<void> {
  const database = readLastingDatabase(io, options);
  const { DATA_FOLDER, openBackend } = await import('../server/backend.js');
  const opened: { backend?: Backend } = {};
  const followEngine = (engine: Engine): Engine =>
    auditedEngine(engine, async (tx) => {
      if (opened.backend && io.command) await recordCommand(tx, opened.backend, io.command);
    });
  const dataFolder = resolve(io.folder, DATA_FOLDER);
  const keyPlace = readKeyPlace(options.keyFile, io.env);
  const backend = await openBackend(database, { dataFolder, keyPlace, followEngine });
  opened.backend = backend;
  try {
    await work(backend);
  } finally {
    await backend.close();
  }
}

/** Returns the action of a command on the database; `work` gets the options and then the arguments. */
export function databaseAction<O extends CommonOptions, A extends readonly string[]>(
  io: CommandIo,
  work: (backend: Backend, options: O, ...args: A) => Promise<Result>,
): (this: Command) => Promise<void> {
  return function () {
    const options = this.opts<O>();
    return onDatabase(io, options, (backend) => work(backend, options, ...(this.processedArgs as [...A])));
  };
}
