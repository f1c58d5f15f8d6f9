import { Option, type Command } from 'commander';
import { access, constants, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
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
import { confirm, withYes, type ConfirmOptions } from './confirm.js';
import { requireDatabase } from './existing-database.js';

type RestoreOptions = ConfirmOptions & { readonly force?: true; readonly withoutMedia?: true };

/** `pipit backup FILE` and `pipit restore FILE` (docs/command-line.md). */
export function addBackupCommands(program: Command, io: CommandIo): void {
  withCommonOptions(program.command('backup <file>'))
    .description(
      'write a consistent copy of the database and its key to a new file, and the files of media to FILE.media; the server may run',
    )
    .action((file: string, options: CommonOptions) => backup(io, resolve(file), options));
  withYes(withCommonOptions(program.command('restore <file>')))
    .description(
      'put a backup in the place of the database, which is kept beside it, with its files of media; no server may run on it',
    )
    .addOption(new Option('--force', 'the former name of --yes').hideHelp())
    .option('--without-media', 'leave FILE.media out, if it is lost')
    .action((file: string, options: RestoreOptions) => restore(io, resolve(file), options));
}

async function backup(io: CommandIo, file: string, options: CommonOptions): Promise<void> {
  const database = await requireFile(io, options);
  await requireDatabase(`sqlite:${database}`);
  await requireReadable(database);
  await requireFolderOf(file);
  const { writeBackupFile } = await import('../server/backup-files.js');
  const mediaFolder = await writeBackupFile(database, file, stopSignal(io));
  const { size } = await stat(file);
  const media = mediaFolder === undefined ? '' : `, and the files of media to ${mediaFolder}`;
  printResult(io, options, {
    json: { file, bytes: size, media_folder: mediaFolder },
    text: `wrote ${file}, ${size} bytes${media}; it holds every secret of the database: keep it as safe`,
  });
}

async function restore(io: CommandIo, file: string, options: RestoreOptions): Promise<void> {
  const database = await requireFile(io, options);
  await requireReadable(file);
  const yes = options.force ?? options.yes;
  const { fileExists } = await import('../database/private-file.js');
  const isThere = await fileExists(database);
  if (isThere) await confirm(io, { yes }, `replace ${database}, keeping it as ${database}.before-restore`);
  const { restoreBackupFile } = await import('../server/backup-files.js');
  const { keptAs } = await restoreBackupFile(file, database, {
    replace: isThere || (yes ?? false),
    withoutMedia: options.withoutMedia ?? false,
    signal: stopSignal(io),
  });
  io.note(keptAs === undefined ? `created the database ${database}` : `the former database is ${keptAs} now`);
  printResult(io, options, {
    json: { file, database, kept_as: keptAs },
    text: `restored ${database} from ${file}`,
  });
}

/** Aborts at the first signal, so that unfinished copies, which hold secrets, are removed; a second one ends at once. */
function stopSignal(io: CommandIo): AbortSignal {
  const stop = new AbortController();
  void io.stopRequested().then(() => {
    io.note('stopping: unfinished files are removed after the step under way');
    stop.abort();
  });
  return stop.signal;
}

async function requireFile(io: CommandIo, options: CommonOptions): Promise<string> {
  const database = readLastingDatabase(io, options);
  const { databaseFile } = await import('../server/backend.js');
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
