import { Option, type Command } from 'commander';
import { access, constants, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readingFile, UnreadableFile } from '../core/unreadable-file.js';
import {
  CommandRefused,
  confirm,
  printResult,
  readLastingDatabase,
  requireFolderOf,
  withCommonOptions,
  withYes,
  type CommandIo,
  type CommonOptions,
  type ConfirmOptions,
} from './command.js';
import { requireDatabase, withDatabase } from './on-database.js';
import { recordCommand } from './record-command.js';
import { optionOf } from './setting-options.js';
import type { PlacesBeside } from '../server/backup-files.js';
import { readKeyPlace, readMediaPlace } from '../server/config.js';

interface PlaceOptions {
  readonly media?: string;
}

type RestoreOptions = ConfirmOptions & PlaceOptions & { readonly force?: true; readonly withoutMedia?: true };

/** Adds `pipit backup FILE` and `pipit restore FILE` (docs/command-line.md). */
export function addBackupCommands(program: Command, io: CommandIo): void {
  withCommonOptions(program.command('backup <file>'))
    .description(
      'write a consistent copy of the database and its key to a new file, and media files to FILE.media; the server may be running',
    )
    .addOption(optionOf('media'))
    .action((file: string, options: CommonOptions & PlaceOptions) => backup(io, resolve(file), options));
  withYes(withCommonOptions(program.command('restore <file>')))
    .description(
      'replace the database with a backup and its media files; keeps the old database; no server may be running on it',
    )
    .addOption(optionOf('media'))
    .addOption(new Option('--force', 'the former name of --yes').hideHelp())
    .option('--without-media', 'restore without FILE.media, if it is lost')
    .action((file: string, options: RestoreOptions) => restore(io, resolve(file), options));
}

function placesOf(io: CommandIo, options: CommonOptions & PlaceOptions): PlacesBeside {
  return { key: readKeyPlace(options.keyFile, io.env), media: readMediaPlace(options.media, io.env) };
}

async function backup(io: CommandIo, file: string, options: CommonOptions & PlaceOptions): Promise<void> {
  const database = await requireFile(io, options);
  await requireDatabase(`sqlite:${database}`);
  await requireReadable(database);
  await requireFolderOf(file);
  const places = placesOf(io, options);
  const { writeBackupFile } = await import('../server/backup-files.js');
  const mediaFolder = await writeBackupFile(database, file, places, stopSignal(io));
  const { size } = await stat(file);
  await recordUse(io, options);
  if (places.media?.kind === 's3')
    io.note('media files stay in the object store, which the backup does not contain');
  const media = mediaFolder === undefined ? '' : `, and media files to ${mediaFolder}`;
  printResult(io, options, {
    json: { file, bytes: size, media_folder: mediaFolder },
    text: `wrote ${file}, ${size} bytes${media}; the backup contains every secret of the database: keep it safe`,
  });
}

async function restore(io: CommandIo, file: string, options: RestoreOptions): Promise<void> {
  const database = await requireFile(io, options);
  await requireReadable(file);
  const places = placesOf(io, options);
  const yes = options.force ?? options.yes;
  const { fileExists } = await import('../database/private-file.js');
  const isThere = await fileExists(database);
  if (isThere) await confirm(io, { yes }, `replace ${database}, keeping it as ${database}.before-restore`);
  const { restoreBackupFile } = await import('../server/backup-files.js');
  const { keptAs } = await restoreBackupFile(file, database, {
    replace: isThere || (yes ?? false),
    withoutMedia: options.withoutMedia ?? false,
    places,
    signal: stopSignal(io),
  });
  await recordUse(io, options);
  io.note(
    keptAs === undefined ? `created the database ${database}` : `the previous database is kept as ${keptAs}`,
  );
  printResult(io, options, {
    json: { file, database, kept_as: keptAs },
    text: `restored ${database} from ${file}`,
  });
}

/** Adds the command to the audit log of the database, which it has not changed through its own engine. */
async function recordUse(io: CommandIo, options: CommonOptions): Promise<void> {
  const { command } = io;
  if (command === undefined) return;
  await withDatabase(io, options, (backend) =>
    backend.engine.tx('record command', (tx) => recordCommand(tx, backend, command)),
  );
}

/**
 * Returns a signal that aborts at the first stop request, so that unfinished copies, which contain secrets, are
 * deleted. A second request exits immediately.
 */
function stopSignal(io: CommandIo): AbortSignal {
  const stop = new AbortController();
  void io.stopRequested().then(() => {
    io.note('stopping: unfinished files are removed after the current step');
    stop.abort();
  });
  return stop.signal;
}

async function requireFile(io: CommandIo, options: CommonOptions): Promise<string> {
  const database = readLastingDatabase(io, options);
  const { databaseFile } = await import('../server/backend.js');
  const file = databaseFile(database);
  // The message omits the URL, which may contain a password.
  if (file === undefined) {
    throw new CommandRefused('this database is not a file: for PostgreSQL use pg_dump and pg_restore');
  }
  return file;
}

async function requireReadable(file: string): Promise<void> {
  const found = await readingFile(file, () => stat(file));
  if (!found.isFile())
    throw new UnreadableFile(file, found.isDirectory() ? 'it is a folder' : 'it is not a file');
  await readingFile(file, () => access(file, constants.R_OK));
  if (found.size === 0) throw new CommandRefused(`the file ${file} is empty`);
}
