import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Backend } from '../server/backend.js';
import {
  printResult,
  readLastingDatabase,
  type CommandIo,
  type CommonOptions,
  type Result,
} from './command.js';
import { requireDatabase, watchCreation } from './existing-database.js';

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
  const { DATA_FOLDER, openBackend } = await import('../server/backend.js');
  const backend = await openBackend(database, { dataFolder: resolve(io.folder, DATA_FOLDER) });
  try {
    noteCreation();
    printResult(io, options, await work(backend));
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
