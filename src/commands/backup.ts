import type { Command } from 'commander';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readDatabase } from '../config.js';
import {
  CommandRefused,
  printResult,
  withCommonOptions,
  type CommandIo,
  type CommonOptions,
} from './command.js';

/** `pipit backup FILE` and `pipit restore FILE` (reference/world-file.md). */
export function addBackupCommands(program: Command, io: CommandIo): void {
  withCommonOptions(program.command('backup <file>'))
    .description('write a consistent copy of the database and its key to a new file; the server may run')
    .action((file: string, options: CommonOptions) => backup(io, resolve(file), options));
  withCommonOptions(program.command('restore <file>'))
    .description('put a backup in the place of the database; no server may run on it')
    .option('--force', 'replace a database that is there')
    .action((file: string, options: CommonOptions & { readonly force?: true }) =>
      restore(io, resolve(file), options),
    );
}

async function backup(io: CommandIo, file: string, options: CommonOptions): Promise<void> {
  const database = await requireFile(io, options);
  await requireReadable(database);
  const { writeBackupFile } = await import('../backup-files.js');
  await writeBackupFile(`sqlite:${database}`, file);
  const { size } = await stat(file);
  printResult(io, options, {
    json: { file, bytes: size },
    text: `wrote ${file}, ${size} bytes; it holds every secret of the database: keep it as safe`,
  });
}

async function restore(
  io: CommandIo,
  file: string,
  options: CommonOptions & { readonly force?: true },
): Promise<void> {
  const database = await requireFile(io, options);
  await requireReadable(file);
  const { restoreBackupFile } = await import('../backup-files.js');
  await restoreBackupFile(file, database, { replace: options.force ?? false });
  printResult(io, options, { json: { file, database }, text: `restored ${database} from ${file}` });
}

async function requireFile(io: CommandIo, options: CommonOptions): Promise<string> {
  const { databaseFile } = await import('../backend.js');
  const database = readDatabase(options.database, io.env);
  const file = /^sqlite:/i.test(database) ? databaseFile(database) : undefined;
  // The URL itself stays out of the message: it may hold a password.
  if (file === undefined) {
    throw new CommandRefused(
      'this database is no file of its own: for PostgreSQL use pg_dump and pg_restore',
    );
  }
  return file;
}

async function requireReadable(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new CommandRefused(`there is no file ${file}`);
  if (found.size === 0) throw new CommandRefused(`the file ${file} is empty`);
}
