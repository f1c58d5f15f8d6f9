import type { Command } from 'commander';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readingFile } from '../core/unreadable-file.js';
import type { FoundBackup } from '../server/backups/find-backups.js';
import type { NewBackup } from '../server/backups/back-up-into.js';
import { readKeyPlace, readOne } from '../server/config.js';
import {
  CommandRefused,
  isoTime,
  printResult,
  readLastingDatabase,
  requireFolderOf,
  withCommonOptions,
  type CommandIo,
  type CommonOptions,
} from './command.js';
import { requireDatabase } from './on-database.js';
import { recordUse } from './record-command.js';
import { optionOf, positive } from './setting-options.js';
import { requireReadable } from './require-readable.js';
import { stopSignal } from './stop-signal.js';

interface CreateOptions extends CommonOptions {
  readonly media?: string;
  readonly withoutMedia?: true;
  readonly backupTo?: string;
  readonly keep?: number;
  readonly postgresPrograms?: string;
}

interface VerifyFlags extends Pick<CreateOptions, 'database' | 'json' | 'postgresPrograms'> {
  readonly deep?: true;
}

/** Adds `pipit backup`, `pipit backup list` and `pipit backup verify` (docs/backups.md). */
export function addBackupCommands(program: Command, io: CommandIo): void {
  const group = program.command('backup').description('backups of the database with its key and media');
  withCommonOptions(group.command('create [path]', { isDefault: true }))
    .description(
      'write a backup to the new folder PATH, or as one more into the folder of backups; servers may be running',
    )
    .addOption(optionOf('media'))
    .option('--without-media', 'leave out the files of media')
    .addOption(optionOf('backupTo', 'the folder of backups, without PATH'))
    .option('--keep <number>', 'then delete all but the newest backups in that folder', positive)
    .addOption(optionOf('postgresPrograms'))
    .action((path: string | undefined, options: CreateOptions) => create(io, path, options));
  group
    .command('list [folder]')
    .description('list the complete backups in a folder, newest first')
    .option('--json', 'print the result as JSON')
    .action((folder: string | undefined, options: Pick<CreateOptions, 'json'>) =>
      listIn(io, folder, options),
    );
  group
    .command('verify <path>')
    .description(
      'compare all files of a backup, or of the newest in a folder, with their checksums, and restore and read it in a scratch place',
    )
    .addOption(
      optionOf('database', 'for a backup of PostgreSQL, a server on which to create a scratch database'),
    )
    .addOption(optionOf('postgresPrograms'))
    .option('--deep', 'also run the checks of pipit check, which take long')
    .option('--json', 'print the result as JSON')
    .action((path: string, options: VerifyFlags) => verify(io, resolve(io.folder, path), options));
}

async function create(io: CommandIo, path: string | undefined, options: CreateOptions): Promise<void> {
  const { keep } = options;
  const folder = path === undefined ? readBackupTo(io, options.backupTo) : undefined;
  if (path !== undefined && (options.backupTo !== undefined || keep !== undefined))
    throw new CommandRefused('--backup-to and --keep are for a folder of backups: leave out PATH', 2);
  const target = path === undefined ? undefined : resolve(io.folder, path);
  if (target !== undefined) await requireFolderOf(target);
  const database = readLastingDatabase(io, options);
  await requireReadableDatabase(database);
  const { DATA_FOLDER, fileBesideDatabase, MEDIA_FOLDER, openBackend } = await import('../server/backend.js');
  const dataFolder = resolve(io.folder, DATA_FOLDER);
  const media = readOne('media', options.media, io.env);
  const programs = readOne('postgresPrograms', options.postgresPrograms, io.env);
  const keyPlace = readKeyPlace(options.keyFile, io.env);
  const backend = await openBackend(database, { dataFolder, keyPlace });
  try {
    const source = {
      ...backend,
      database,
      media,
      mediaFolder: fileBesideDatabase(database, MEDIA_FOLDER, dataFolder) ?? '',
      programs,
    };
    const { writeBackup } = await import('../server/backups/write-backup.js');
    const { backUpInto } = await import('../server/backups/back-up-into.js');
    const settings = { withoutMedia: options.withoutMedia, signal: await stopSignal(io), keep };
    const made: NewBackup =
      target === undefined
        ? await backUpInto(folder ?? '', source, settings)
        : { path: target, manifest: await writeBackup(target, source, settings), deleted: [] };
    // The backup changes nothing else.
    await recordUse(io, backend);
    printMade(io, options, made);
  } finally {
    await backend.close();
  }
}

function readBackupTo(io: CommandIo, flag: string | undefined): string {
  const folder = readOne('backupTo', flag, io.env);
  if (folder !== undefined) return folder;
  throw new CommandRefused('name the new folder of the backup, or a folder of backups by --backup-to', 2);
}

function printMade(io: CommandIo, options: CreateOptions, { path, manifest, deleted }: NewBackup): void {
  const { media } = manifest;
  for (const name of media?.missing ?? [])
    io.note(`rows name the file ${name}, which the store does not have`);
  const files = media ? `${media.files} files of media` : 'no files of media';
  printResult(io, options, {
    json: { ...asJson({ path, manifest }), missing_media: media?.missing, deleted },
    text: [
      `wrote ${path}: the database with ${manifest.databaseBytes} bytes, its key and ${files}`,
      'it contains every secret of the database: keep it safe',
      ...deleted.map((old) => `deleted ${old}`),
    ].join('\n'),
  });
}

async function listIn(
  io: CommandIo,
  path: string | undefined,
  options: Pick<CreateOptions, 'json'>,
): Promise<void> {
  const folder = path === undefined ? readBackupTo(io, undefined) : resolve(io.folder, path);
  await readingFile(folder, () => access(folder, constants.R_OK));
  const { listBackups } = await import('../server/backups/find-backups.js');
  const found = await listBackups(folder);
  printResult(io, options, { json: found.map(asJson), text: found.map(asLine).join('\n') });
}

function asJson({ path, manifest }: FoundBackup) {
  const { createdAtMs, engine, engineVersion, pipit, schemaVersion, databaseBytes, media } = manifest;
  return {
    path,
    created_at: isoTime(createdAtMs),
    pipit,
    engine,
    engine_version: engineVersion,
    schema_version: schemaVersion,
    database_bytes: databaseBytes,
    media_files: media?.files,
    media_bytes: media?.bytes,
  };
}

function asLine({ path, manifest }: FoundBackup): string {
  const { createdAtMs, engine, databaseBytes, media } = manifest;
  const files = media ? `${media.files} files with ${media.bytes} bytes` : 'no files';
  return [isoTime(createdAtMs), engine, `${databaseBytes} bytes`, files, path].join('  ');
}

/** The most problems that are printed; `--json` prints all. */
const MAX_LINES = 50;

async function verify(io: CommandIo, path: string, options: VerifyFlags): Promise<void> {
  const { chooseBackup } = await import('../server/backups/find-backups.js');
  const { verifyBackup } = await import('../server/backups/verify-backup.js');
  const { databaseFile } = await import('../server/backend.js');
  const database = readOne('database', options.database, io.env);
  const backup = await chooseBackup(path);
  const { rows, files, problems, differences } = await verifyBackup(backup, {
    server: databaseFile(database) === undefined ? database : undefined,
    programs: readOne('postgresPrograms', options.postgresPrograms, io.env),
    isDeep: options.deep ?? false,
    signal: await stopSignal(io),
  });
  const isSound = problems.length === 0;
  printResult(io, options, {
    json: { path: backup.path, sound: isSound, rows, media_files: files, problems, differences },
    text: isSound
      ? [
          `${backup.path} is sound: ${rows} rows and ${files} files of media`,
          ...differences.map((each) => `the database already differed: ${each}`),
        ].join('\n')
      : problems.slice(0, MAX_LINES).join('\n'),
  });
  if (isSound) return;
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  throw new CommandRefused(`${backup.path} is damaged: ${count}`);
}

async function requireReadableDatabase(database: string): Promise<void> {
  await requireDatabase(database);
  const { databaseFile } = await import('../server/backend.js');
  const file = databaseFile(database);
  if (file !== undefined) await requireReadable(file);
}
