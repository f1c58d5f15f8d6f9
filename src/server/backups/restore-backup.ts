import { randomBytes } from 'node:crypto';
import { chmod, copyFile, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { systemClock } from '../../core/clock.js';
import { inspectDatabase, openDumpTarget, useEngine } from '../../database/open-engine.js';
import {
  fileExists,
  orMissing,
  replacePrivateFile,
  syncFile,
  syncFolder,
} from '../../database/private-file.js';
import type { KeyPlace } from '../../services/secrets/key-text.js';
import { endOtherProcesses } from '../../stores/backups.js';
import { databaseFile } from '../backend.js';
import { keepDatabase } from '../database-use.js';
import { BackupRefused } from './backup-refused.js';
import { readSums, sumOf } from './checksums.js';
import type { FoundBackup } from './find-backups.js';
import { extractFacts, notABackup, restoreFormerMedia } from './former-backup.js';
import { DATABASE_FILES, KEY } from './manifest.js';
import { restoreMedia, type MediaTarget, type RestoreMediaOptions } from './restore-media.js';

const FILE_MODE = 0o600;

/** A backup in a folder, or the file of a former version. */
export type Restorable = FoundBackup | { readonly path: string; readonly manifest?: undefined };

export interface RestoreTarget extends MediaTarget {
  readonly database: string;
  /** Where servers of the database find the key, if not in `keyFile`. */
  readonly keyPlace: KeyPlace | undefined;
  readonly keyFile: string;
  /** The folder of PostgreSQL's programs. */
  readonly programs: string | undefined;
}

export interface RestoreOptions extends RestoreMediaOptions {
  readonly replace: boolean;
  readonly withoutMedia: boolean;
}

/** The result of a restore. */
export interface Restored {
  /** What the replaced database is named now: a file, or a schema of PostgreSQL; undefined if there was none. */
  readonly keptAs: string | undefined;
  /** The files that were left out because they are damaged. */
  readonly damaged: readonly string[];
}

/**
 * Replaces a database with a backup and its key, and adds the backup's media files. Compares and opens the backup first,
 * so that a damaged one or one of a newer Pipit replaces nothing. Keeps what it replaces under new names. Throws
 * BackupRefused for an invalid backup, missing media files, an existing database or key (unless `replace`), and an
 * existing file that is not a database, since its path may be mistyped. Throws DatabaseInUse while a process uses the
 * database.
 */
export async function restoreBackup(
  backup: Restorable,
  target: RestoreTarget,
  options: RestoreOptions,
): Promise<Restored> {
  try {
    const file = databaseFile(target.database);
    if (file === undefined) return await restoreOnServer(backup, target, options);
    return await restoreFile(backup, file, target, options);
  } catch (error) {
    options.signal.throwIfAborted();
    throw error;
  }
}

async function restoreFile(
  backup: Restorable,
  database: string,
  target: RestoreTarget,
  options: RestoreOptions,
): Promise<Restored> {
  requireEngine(backup, 'SQLite');
  if (!options.replace && (await fileExists(database))) throw new BackupRefused(`${database} exists`);
  if (isInside(database, backup.path))
    throw new BackupRefused(`cannot replace ${database}: it is part of the backup`);
  if (await isFolder(database)) throw new BackupRefused(`cannot replace ${database}: it is a folder`);
  const hold = await keepDatabase(database);
  try {
    if (await fileExists(database)) await requireDatabaseFile(database);
    return await replaceFile(backup, database, target, options);
  } finally {
    await hold.end();
  }
}

async function requireDatabaseFile(file: string): Promise<void> {
  try {
    await using inspection = await inspectDatabase(`sqlite:${file}`);
    await inspection.dialect.tableNames(inspection.db);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BackupRefused(
      `${file} cannot be opened as a database (${reason}): move it away to restore there`,
      {
        cause: error,
      },
    );
  }
}

function isInside(file: string, folder: string): boolean {
  return resolve(file).startsWith(`${resolve(folder)}${sep}`);
}

async function isFolder(path: string): Promise<boolean> {
  return (await fileExists(path)) && (await stat(path)).isDirectory();
}

async function replaceFile(
  backup: Restorable,
  database: string,
  target: RestoreTarget,
  options: RestoreOptions,
): Promise<Restored> {
  const draft = `${database}.${randomBytes(6).toString('hex')}`;
  try {
    const { key, hasMedia } = await prepareFile(backup, draft);
    options.signal.throwIfAborted();
    await prepareKey(target, key, options);
    const damaged = hasMedia ? await addMedia(backup, target, options) : [];
    await syncFile(draft);
    options.signal.throwIfAborted();
    const keptAs = (await fileExists(database)) ? await renameAside(database) : undefined;
    await putKey(target, key);
    await rename(draft, database);
    await syncFolder(dirname(database));
    return { keptAs, damaged };
  } finally {
    for (const suffix of ['', '-wal', '-shm']) await rm(draft + suffix, { force: true });
  }
}

/** What a backup holds besides the database. */
interface Beside {
  readonly key: Uint8Array;
  readonly hasMedia: boolean;
}

/** Writes the database of a backup to a new file, ready to be served. */
async function prepareFile(backup: Restorable, draft: string): Promise<Beside> {
  const { path, manifest } = backup;
  const source = manifest ? join(path, DATABASE_FILES.SQLite) : path;
  if (manifest) await requireIntact(path, DATABASE_FILES.SQLite);
  await copyFile(source, draft);
  await chmod(draft, FILE_MODE);
  try {
    return await useEngine(`sqlite:${draft}`, { durability: 'full' }, async (engine) => {
      const beside = manifest ? await readBeside(backup) : await extractFacts(engine, path);
      await engine.tx('restore', (tx) => endOtherProcesses(tx, systemClock()));
      return beside;
    });
  } catch (error) {
    throw notABackup(path, error);
  }
}

async function readBeside({ path, manifest }: FoundBackup): Promise<Beside> {
  return { key: await readFile(join(path, KEY)), hasMedia: manifest.media !== undefined };
}

/** Compares the database and the key of a backup with their checksums. */
async function requireIntact(folder: string, database: string): Promise<void> {
  const left = new Set([database, KEY]);
  for await (const { name, sha256 } of readSums(folder)) {
    if (!left.delete(name)) continue;
    const found = await orMissing(sumOf(join(folder, name)));
    if (found?.sha256 !== sha256)
      throw new BackupRefused(
        `${join(folder, name)} is ${found ? 'damaged' : 'missing'}: use another backup`,
      );
    if (left.size === 0) return;
  }
  throw new BackupRefused(`${folder} is damaged: it has no checksum of ${[...left].join(' and ')}`);
}

function requireEngine({ path, manifest }: Restorable, engine: keyof typeof DATABASE_FILES): void {
  const own = manifest?.engine ?? 'SQLite';
  if (own !== engine)
    throw new BackupRefused(
      `${path} is a backup of ${own}, which cannot be restored to ${engine}: restore it to ${own}, then use pipit move`,
    );
}

function addMedia(backup: Restorable, target: MediaTarget, options: RestoreOptions): Promise<string[]> {
  if (options.withoutMedia) return Promise.resolve([]);
  if (backup.manifest) return restoreMedia(backup.path, target, options);
  return restoreFormerMedia(backup.path, target).then(() => []);
}

async function restoreOnServer(
  backup: Restorable,
  target: RestoreTarget,
  options: RestoreOptions,
): Promise<Restored> {
  requireEngine(backup, 'PostgreSQL');
  if (!backup.manifest) throw new BackupRefused(`${backup.path} is not a Pipit backup`);
  const { database, programs } = target;
  const dump = await openDumpTarget(database, programs);
  try {
    if (!dump.isEmpty && !options.replace) throw new BackupRefused('the database is not empty');
    if ((await dump.countUsers()) > 0)
      throw new BackupRefused('a process uses the database: stop all servers first');
    await requireIntact(backup.path, DATABASE_FILES.PostgreSQL);
    const { key, hasMedia } = await readBeside(backup);
    await prepareKey(target, key, options);
    const damaged = hasMedia ? await addMedia(backup, target, options) : [];
    const keptAs = await dump.restore(join(backup.path, DATABASE_FILES.PostgreSQL), options.signal);
    await putKey(target, key);
    await useEngine(database, { durability: 'full' }, (engine) =>
      engine.tx('restore', (tx) => endOtherProcesses(tx, systemClock())),
    );
    return { keptAs, damaged };
  } finally {
    await dump.close();
  }
}

/** Renames a database together with its WAL: SQLite would apply the WAL to any file with the database's name. */
async function renameAside(database: string): Promise<string> {
  const aside = await freeName(`${database}.before-restore`);
  await rm(`${database}-shm`, { force: true });
  if (await fileExists(`${database}-wal`)) await rename(`${database}-wal`, `${aside}-wal`);
  await rename(database, aside);
  return aside;
}

/** Keeps a copy of the existing key file, which the replaced database and others in the folder may need. */
async function prepareKey(
  { keyPlace, keyFile: usual }: RestoreTarget,
  key: Uint8Array,
  { replace }: RestoreOptions,
): Promise<void> {
  if (keyPlace?.kind === 'given') return requireGivenKey(keyPlace.key, key);
  const keyFile = keyPlace?.file ?? usual;
  if (!(await fileExists(keyFile)) || (await readFile(keyFile)).equals(key)) return;
  if (!replace) throw new BackupRefused(`${keyFile} is another database's key: --yes replaces it`);
  await copyFile(keyFile, await freeName(`${keyFile}.before-restore`));
}

async function putKey({ keyPlace, keyFile }: RestoreTarget, key: Uint8Array): Promise<void> {
  if (keyPlace?.kind !== 'given') await replacePrivateFile(keyPlace?.file ?? keyFile, key);
}

function requireGivenKey(given: Buffer, key: Uint8Array): void {
  if (given.equals(key)) return;
  throw new BackupRefused(
    'the backup has another key than PIPIT_KEY: leave the variable out to restore its key',
  );
}

async function freeName(name: string): Promise<string> {
  let free = name;
  for (let count = 2; await fileExists(free); count += 1) free = `${name}-${count}`;
  return free;
}
