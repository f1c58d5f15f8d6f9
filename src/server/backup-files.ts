import { randomBytes } from 'node:crypto';
import { chmod, copyFile, link, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemClock } from '../core/clock.js';
import { keepDatabase, useDatabase } from './database-use.js';
import { MEDIA_FOLDER } from './backend.js';
import { keyFileBeside, loadKeyFile } from '../services/secrets/key-file.js';
import {
  endLeases,
  findBackupFacts,
  findMediaIds,
  putBackupFacts,
  removeBackupFacts,
  type BackupFacts,
} from '../stores/backups.js';
import { copyBlobs, keepBlobsOf } from '../stores/blobs/copy-blobs.js';
import type { Engine } from '../database/engine.js';
import { inspectDatabase, openEngine } from '../database/open-engine.js';
import { fileExists, hasCode, replacePrivateFile, syncFile, syncFolder } from '../database/private-file.js';

const FILE_MODE = 0o600;

/** A backup or restore cannot be done; the message tells why. */
class BackupRefused extends Error {
  override readonly name = 'BackupRefused';
}

/** Ends a backup or restore between two steps: what is unfinished is removed. */
function requireNotStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new BackupRefused('stopped: nothing was changed');
}

/** The folder beside a backup, or beside a name that it is to get, in which its files of media lie. */
function mediaFolderOf(file: string): string {
  return `${file}.media`;
}

/**
 * Writes a consistent copy of a database file to a new file (mode 0600), with the key that its sealed secrets need, and the
 * files of its media to a folder beside it. Both appear whole and on disk, the file last, or not at all. Resolves to the
 * folder; undefined when there are no media. Throws BackupRefused when there is such a file or folder already.
 */
export async function writeBackupFile(
  database: string,
  file: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  for (const each of [file, mediaFolderOf(file)]) {
    if (await fileExists(each)) throw overwritesNothing(each);
  }
  const draft = draftOf(file);
  const use = await useDatabase(database);
  try {
    const hasMedia = await copyWithMedia(database, draft, signal);
    await syncFile(draft);
    requireNotStopped(signal);
    if (hasMedia) await rename(mediaFolderOf(draft), mediaFolderOf(file));
    await publish(draft, file, hasMedia);
    return hasMedia ? mediaFolderOf(file) : undefined;
  } finally {
    await removeDatabase(draft);
    await rm(mediaFolderOf(draft), { recursive: true, force: true });
    await use.end();
  }
}

/**
 * The files are taken before the rows, as those of a post that is deleted after that moment may be gone a moment later;
 * and again after them, for what was added in between. What the rows do not know in the end is left out.
 */
async function copyWithMedia(
  database: string,
  draft: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const [from, to] = [join(dirname(database), MEDIA_FOLDER), mediaFolderOf(draft)];
  await copyBlobs(from, to);
  requireNotStopped(signal);
  await using(database, (engine) => engine.backup(draft));
  requireNotStopped(signal);
  await copyBlobs(from, to);
  requireNotStopped(signal);
  const key = await loadKeyFile(keyFileBeside(database));
  return using(draft, async (copy) => {
    await keepBlobsOf(to, async (ids) => new Set((await findMediaIds(copy, ids.map(BigInt))).map(String)));
    const hasMedia = await fileExists(to);
    await copy.tx('put backup facts', (tx) => putBackupFacts(tx, { key, hasMedia }));
    return hasMedia;
  });
}

/** Gives the copy its name, unless another backup has taken it meanwhile. */
async function publish(draft: string, file: string, hasMedia: boolean): Promise<void> {
  try {
    await link(draft, file);
  } catch (error) {
    if (hasMedia) await rm(mediaFolderOf(file), { recursive: true });
    throw hasCode(error, 'EEXIST') ? overwritesNothing(file) : error;
  }
  await syncFolder(dirname(file));
}

function overwritesNothing(file: string): BackupRefused {
  return new BackupRefused(`${file} exists: a backup never overwrites a file`);
}

export interface RestoreOptions {
  readonly replace: boolean;
  readonly withoutMedia: boolean;
  /** Stops the restore while the database is still unchanged. */
  readonly signal?: AbortSignal;
}

/** What a restore did beside putting the backup in its place. */
export interface Restored {
  /** Where the database is now that was there; undefined when there was none. */
  readonly keptAs: string | undefined;
}

/**
 * Puts a backup in the place of a database, with its key, and its files of media beside those that are there. The backup
 * is copied and opened first, so that nothing is replaced by what is no backup, or a newer Pipit's. What is replaced is kept
 * beside. Throws BackupRefused for a file that is none, or whose files of media are missing (unless `withoutMedia`), for a
 * database or key that is there (unless `replace`), and for a file in the database's place that cannot be opened as one: its
 * path may be mistyped. Throws DatabaseInUse while a process uses the database.
 */
export async function restoreBackupFile(
  file: string,
  database: string,
  options: RestoreOptions,
): Promise<Restored> {
  if (!options.replace && (await fileExists(database))) throw new BackupRefused(`${database} exists`);
  if (await isFolder(database)) throw new BackupRefused(`cannot replace ${database}: it is a folder`);
  const hold = await keepDatabase(database);
  try {
    if (await fileExists(database)) await requireDatabaseFile(database);
    return await replaceDatabase(file, database, options);
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

async function isFolder(path: string): Promise<boolean> {
  return (await fileExists(path)) && (await stat(path)).isDirectory();
}

async function replaceDatabase(
  file: string,
  database: string,
  { replace, withoutMedia, signal }: RestoreOptions,
): Promise<Restored> {
  const draft = draftOf(database);
  try {
    await copyFile(file, draft);
    await chmod(draft, FILE_MODE);
    requireNotStopped(signal);
    const { key, hasMedia } = await openUp(draft, file);
    await keepKeyAside(keyFileBeside(database), key, replace);
    if (hasMedia && !withoutMedia) await restoreMedia(file, database);
    await syncFile(draft);
    requireNotStopped(signal);
    const keptAs = (await fileExists(database)) ? await keepAside(database) : undefined;
    await replacePrivateFile(keyFileBeside(database), key);
    await rename(draft, database);
    await syncFolder(dirname(database));
    return { keptAs };
  } finally {
    await removeDatabase(draft);
  }
}

/** Renames a database with its log: SQLite would apply the log to whatever has the name of the database. */
async function keepAside(database: string): Promise<string> {
  const aside = await freeName(`${database}.before-restore`);
  await rm(`${database}-shm`, { force: true });
  if (await fileExists(`${database}-wal`)) await rename(`${database}-wal`, `${aside}-wal`);
  await rename(database, aside);
  return aside;
}

/** The database that is replaced, and others of the folder, may need the key that is there. */
async function keepKeyAside(keyFile: string, key: Uint8Array, replace: boolean): Promise<void> {
  if (!(await fileExists(keyFile)) || (await readFile(keyFile)).equals(key)) return;
  if (!replace) throw new BackupRefused(`${keyFile} is another database's key: --yes replaces it`);
  await copyFile(keyFile, await freeName(`${keyFile}.before-restore`));
}

async function freeName(name: string): Promise<string> {
  let free = name;
  for (let count = 2; await fileExists(free); count += 1) free = `${name}-${count}`;
  return free;
}

/** Files are added only: their names are chosen by chance, and other databases of the folder may have theirs there. */
async function restoreMedia(file: string, database: string): Promise<void> {
  const from = mediaFolderOf(file);
  if (!(await fileExists(from))) {
    throw new BackupRefused(`${from} is missing: it belongs to ${file} (--without-media restores the rest)`);
  }
  await copyBlobs(from, join(dirname(database), MEDIA_FOLDER));
}

/** Makes a copy of a backup a database, and resolves to what travelled with it. */
async function openUp(copy: string, file: string): Promise<BackupFacts> {
  return using(copy, async (engine) => {
    const facts = await findBackupFacts(engine).catch((cause: unknown) => {
      throw new BackupRefused(`${file} is no backup of Pipit`, { cause });
    });
    await engine.tx('restore', async (tx) => {
      await removeBackupFacts(tx);
      await endLeases(tx, systemClock());
    });
    return facts;
  }).catch((error: unknown) => {
    if (error instanceof Error && hasCode(error.cause, 'SQLITE_NOTADB')) {
      throw new BackupRefused(`${file} is no backup of Pipit`, { cause: error });
    }
    throw error;
  });
}

async function using<T>(file: string, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openEngine(`sqlite:${file}`, { durability: 'full' });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

function draftOf(file: string): string {
  return `${file}.${randomBytes(6).toString('hex')}`;
}

async function removeDatabase(file: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm']) await rm(file + suffix, { force: true });
}
