import { resolve } from 'node:path';
import { parseDatabaseUrl } from '../database/database-url.js';
import { count, oneOf, single } from './setting.js';
import { parseDuration } from './setting-texts.js';

const MAX_KEPT = 10_000;

/** The settings of scheduled backups. */
export const BACKUP_SETTINGS = {
  backupEvery: single<number | undefined>({
    value: 'duration',
    help: 'make a backup each time this has passed, such as 6h or 1d; one of several servers makes it',
    initial: undefined,
    rule: 'be a duration from 1h to 365d',
    parse: parseDuration,
  }),
  backupTo: single<string | undefined>({
    value: 'folder',
    help: 'the folder of backups, which several servers share',
    initial: undefined,
    rule: 'be a folder',
    parse: (text) => (text.trim() === '' ? undefined : resolve(text)),
  }),
  backupMedia: oneOf(['on', 'off'], 'on', {
    value: 'mode',
    help: 'on: backups contain the files of media; off: only their rows, if the object store keeps its own copies',
  }),
  keep: count(MAX_KEPT, {
    value: 'number',
    help: 'how many backups to keep; older ones are deleted after a new one is complete',
    initial: 7,
  }),
  postgresPrograms: single<string | undefined>({
    value: 'folder',
    help: 'the folder of pg_dump and pg_restore, if they are not on PATH',
    initial: undefined,
    rule: 'be a folder',
    parse: (text) => (text.trim() === '' ? undefined : resolve(text)),
  }),
};

interface BackupSettings {
  readonly backupEvery: number | undefined;
  readonly backupTo: string | undefined;
  readonly database: string;
  readonly sandbox: boolean;
}

/** Returns what is wrong with the settings together. */
export function backupFaults({ backupEvery, backupTo, database, sandbox }: BackupSettings): string[] {
  if (backupEvery === undefined) return [];
  return [
    ...(sandbox ? ['a sandbox makes no backups: leave out --backup-every'] : []),
    ...(backupTo === undefined ? ['--backup-every needs --backup-to, the folder of the backups'] : []),
    ...(parseDatabaseUrl(database)?.kind === 'memory'
      ? ['a database in memory has no backups: leave out --backup-every']
      : []),
  ];
}
