import { InvalidArgumentError, Option, type Command } from 'commander';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readingFile } from '../core/unreadable-file.js';
import { readKeyPlace, readOne } from '../server/config.js';
import type { Restorable, RestoreTarget } from '../server/backups/restore-backup.js';
import {
  CommandRefused,
  confirm,
  isoTime,
  printResult,
  readLastingDatabase,
  withCommonOptions,
  withYes,
  type CommandIo,
  type ConfirmOptions,
} from './command.js';
import { withDatabase } from './on-database.js';
import { recordUse } from './record-command.js';
import { requireReadable } from './require-readable.js';
import { optionOf } from './setting-options.js';
import { stopSignal } from './stop-signal.js';

interface RestoreFlags extends ConfirmOptions {
  readonly force?: true;
  readonly at?: number;
  readonly media?: string;
  readonly withoutMedia?: true;
  readonly skipDamaged?: true;
  readonly postgresPrograms?: string;
}

/** Adds `pipit restore` (docs/backups.md#restore). */
export function addRestoreCommand(program: Command, io: CommandIo): void {
  withYes(withCommonOptions(program.command('restore <path>')))
    .description(
      'replace the database with a backup, or with the newest in a folder of backups; keeps the old database; no server may be running on it',
    )
    .option('--at <time>', 'the newest backup up to this time, such as 2026-11-20T12:00Z', readTime)
    .addOption(optionOf('media'))
    .addOption(new Option('--force', 'the former name of --yes').hideHelp())
    .option('--without-media', 'restore no files of media')
    .option('--skip-damaged', 'leave out files of media that are missing or damaged')
    .addOption(optionOf('postgresPrograms'))
    .action((path: string, options: RestoreFlags) => restore(io, resolve(io.folder, path), options));
}

/** A time with its zone: without one, it would depend on the machine. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

function readTime(text: string): number {
  const timeMs = TIME.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(timeMs))
    throw new InvalidArgumentError('It must be a time with its zone, such as 2026-11-20T12:00Z.');
  return timeMs;
}

async function restore(io: CommandIo, path: string, options: RestoreFlags): Promise<void> {
  const target = await readTarget(io, options);
  const backup = await findRestorable(path, options.at);
  const { restoreBackup } = await import('../server/backups/restore-backup.js');
  const yes = options.force ?? options.yes;
  const replaced = await describeReplaced(target);
  if (replaced !== undefined) await confirm(io, { yes }, `replace ${replaced}`);
  const { keptAs, damaged } = await restoreBackup(backup, target, {
    replace: replaced !== undefined || (yes ?? false),
    withoutMedia: options.withoutMedia ?? false,
    skipsDamaged: options.skipDamaged ?? false,
    signal: await stopSignal(io),
  });
  if (io.command) await withDatabase(io, options, (backend) => recordUse(io, backend));
  for (const name of damaged) io.note(`${name} is damaged and was left out`);
  const { databaseFile } = await import('../server/backend.js');
  const file = databaseFile(target.database);
  if (keptAs !== undefined)
    io.note(`the previous database is kept as ${file === undefined ? `the schema ${keptAs}` : keptAs}`);
  else if (file !== undefined) io.note(`created the database ${file}`);
  printResult(io, options, {
    json: {
      file: backup.path,
      created_at: isoTime(backup.manifest?.createdAtMs),
      database: file,
      kept_as: keptAs,
      damaged_media: damaged.length === 0 ? undefined : damaged,
    },
    text: `restored ${file ?? 'the database'} from ${backup.path}`,
  });
}

async function readTarget(io: CommandIo, options: RestoreFlags): Promise<RestoreTarget> {
  const database = readLastingDatabase(io, options);
  const { DATA_FOLDER, fileBesideDatabase, MEDIA_FOLDER } = await import('../server/backend.js');
  const { KEY_FILE } = await import('../services/secrets/key-file.js');
  const dataFolder = resolve(io.folder, DATA_FOLDER);
  return {
    database,
    keyPlace: readKeyPlace(options.keyFile, io.env),
    keyFile: fileBesideDatabase(database, KEY_FILE, dataFolder) ?? '',
    media: readOne('media', options.media, io.env),
    mediaFolder: fileBesideDatabase(database, MEDIA_FOLDER, dataFolder) ?? '',
    programs: readOne('postgresPrograms', options.postgresPrograms, io.env),
  };
}

/** Finds a backup by its folder, by the folder of all, or by the file of a former version. */
async function findRestorable(path: string, untilMs: number | undefined): Promise<Restorable> {
  const found = await readingFile(path, () => stat(path));
  if (found.isDirectory()) {
    const { chooseBackup } = await import('../server/backups/find-backups.js');
    return chooseBackup(path, untilMs);
  }
  if (untilMs !== undefined) throw new CommandRefused('--at is for a folder of backups', 2);
  await requireReadable(path);
  return { path };
}

/** Describes what a restore would replace; undefined if there is nothing. */
async function describeReplaced({ database, programs }: RestoreTarget): Promise<string | undefined> {
  const { databaseFile } = await import('../server/backend.js');
  const file = databaseFile(database);
  if (file !== undefined) {
    const { fileExists } = await import('../database/private-file.js');
    return (await fileExists(file)) ? `${file}, keeping it as ${file}.before-restore` : undefined;
  }
  const { openDumpTarget } = await import('../database/open-engine.js');
  const target = await openDumpTarget(database, programs);
  await target.close();
  return target.isEmpty ? undefined : 'all tables of the database, keeping them in another schema';
}
