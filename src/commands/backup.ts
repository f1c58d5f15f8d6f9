import type { Command } from 'commander';
import { access, constants, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { MEDIA_FOLDER } from '../media-folder.js';
import { readingFile, UnreadableFile } from '../core/unreadable-file.js';
import {
  CommandRefused,
  printResult,
  readLastingDatabase,
  requireFolderOf,
  withCommonOptions,
  type CommandIo,
  type CommonOptions,
} from './command.js';

/** `pipit backup FILE` and `pipit restore FILE` (reference/world-file.md). */
export function addBackupCommands(program: Command, io: CommandIo): void {
  withCommonOptions(program.command('backup <file>'))
    .description(
      'write a consistent copy of the database and its key to a new file; the server may run. The files of media are copied apart',
    )
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
  await requireFolderOf(file);
  const { writeBackupFile } = await import('../backup-files.js');
  await writeBackupFile(`sqlite:${database}`, file);
  const { size } = await stat(file);
  const mediaFolder = await findMediaFolder(database);
  const media = mediaFolder && `; the files of media are not in it: copy the folder ${mediaFolder} as well`;
  printResult(io, options, {
    json: { file, bytes: size, media_folder: mediaFolder },
    text: `wrote ${file}, ${size} bytes; it holds every secret of the database: keep it as safe${media ?? ''}`,
  });
}

/** Where the files of media are; undefined when there are none. They never change, so that any copying tool serves. */
async function findMediaFolder(database: string): Promise<string | undefined> {
  const { fileBesideDatabase } = await import('../backend.js');
  const { fileExists } = await import('../storage/private-file.js');
  const folder = fileBesideDatabase(`sqlite:${database}`, MEDIA_FOLDER);
  return folder !== undefined && (await fileExists(folder)) ? folder : undefined;
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
  const database = readLastingDatabase(io, options);
  const { databaseFile } = await import('../backend.js');
  const file = databaseFile(database);
  // The URL itself stays out of the message: it may hold a password.
  if (file === undefined) {
    throw new CommandRefused(
      'this database is no file of its own: for PostgreSQL use pg_dump and pg_restore',
    );
  }
  return file;
}

async function requireReadable(file: string): Promise<void> {
  const found = await readingFile(file, () => stat(file));
  if (!found.isFile())
    throw new UnreadableFile(file, found.isDirectory() ? 'it is a folder' : 'it is no file');
  await readingFile(file, () => access(file, constants.R_OK));
  if (found.size === 0) throw new CommandRefused(`the file ${file} is empty`);
}
