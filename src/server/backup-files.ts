import { randomBytes } from 'node:crypto';
import { chmod, copyFile, link, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '../core/clock.js';
import { keepDatabase, useDatabase } from './database-use.js';
import { MEDIA_FOLDER } from './backend.js';
import { keyFileBeside, loadKeyFile } from '../services/secrets/key-file.js';
import type { KeyPlace } from '../services/secrets/key-text.js';
import {
  endLeases,
  endServers,
  findBackupFacts,
  findMediaIds,
  putBackupFacts,
  removeBackupFacts,
  type BackupFacts,
} from '../stores/backups.js';
import { copyBlobs, keepBlobsOf, storeBlobs } from '../stores/blobs/copy-blobs.js';
import type { MediaPlace } from '../stores/blobs/media-place.js';
import { openBlobs } from '../stores/blobs/open-blobs.js';
import type { Engine } from '../database/engine.js';
import { inspectDatabase, useEngine } from '../database/open-engine.js';
import { fileExists, hasCode, replacePrivateFile, syncFile, syncFolder } from '../database/private-file.js';
import { NamedError } from '../core/named-error.js';

const FILE_MODE = 0o600;

/** Thrown when a backup or restore cannot be done; the message gives the reason. */
class BackupRefused extends NamedError {}

/** Throws BackupRefused if the operation was aborted; callers then remove unfinished files. */
function requireNotStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new BackupRefused('stopped: nothing was changed');
}

/** Where the server of a database keeps what is not in it, if not beside it. */
export interface PlacesBeside {
  readonly key?: KeyPlace;
  readonly media?: MediaPlace;
}

/** Returns the folder of a server's media; undefined for those in an object store, which a backup leaves there. */
function mediaFolderBeside(database: string, { media }: PlacesBeside): string | undefined {
  if (media?.kind === 's3') return undefined;
  return media?.folder ?? join(dirname(database), MEDIA_FOLDER);
}

/** Returns the folder of a backup's media files. */
function mediaFolderOf(file: string): string {
  return `${file}.media`;
}

/**
 * Writes a consistent copy of a database to a new file (mode 0600), including the key of its encrypted secrets, and
 * copies its media files to a folder beside it. Both appear complete and synced, the file last, or not at all.
 * Returns the folder, or undefined without media. Throws BackupRefused if the file or folder already exists.
 */
export async function writeBackupFile(
  database: string,
  file: string,
  places: PlacesBeside,
  signal?: AbortSignal,
): Promise<string | undefined> {
  for (const each of [file, mediaFolderOf(file)]) {
    if (await fileExists(each)) throw fileExistsError(each);
  }
  const draft = draftOf(file);
  const use = await useDatabase(database);
  try {
    const hasMedia = await copyWithMedia(database, draft, places, signal);
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
 * Copies the media files before the rows, since files of posts deleted afterwards may be removed, and again after the
 * rows, for files added in between. Finally removes the files that the copied rows do not reference.
 */
async function copyWithMedia(
  database: string,
  draft: string,
  places: PlacesBeside,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const [from, to] = [mediaFolderBeside(database, places), mediaFolderOf(draft)];
  if (from !== undefined) await copyBlobs(from, to);
  requireNotStopped(signal);
  await useFile(database, (engine) => engine.backup(draft));
  requireNotStopped(signal);
  if (from !== undefined) await copyBlobs(from, to);
  requireNotStopped(signal);
  const { key: place } = places;
  const key = place?.kind === 'given' ? place.key : await loadKeyFile(place?.file ?? keyFileBeside(database));
  return useFile(draft, async (copy) => {
    await keepBlobsOf(to, async (ids) => new Set((await findMediaIds(copy, ids.map(BigInt))).map(String)));
    const hasMedia = await fileExists(to);
    await copy.tx('put backup facts', (tx) => putBackupFacts(tx, { key, hasMedia }));
    return hasMedia;
  });
}

/** Renames the copy; throws BackupRefused if another backup has created the file. */
async function publish(draft: string, file: string, hasMedia: boolean): Promise<void> {
  try {
    await link(draft, file);
  } catch (error) {
    if (hasMedia) await rm(mediaFolderOf(file), { recursive: true });
    throw hasCode(error, 'EEXIST') ? fileExistsError(file) : error;
  }
  await syncFolder(dirname(file));
}

function fileExistsError(file: string): BackupRefused {
  return new BackupRefused(`${file} exists: a backup never overwrites a file`);
}

export interface RestoreOptions {
  readonly places: PlacesBeside;
  readonly replace: boolean;
  readonly withoutMedia: boolean;
  /** Stops the restore while the database is unchanged. */
  readonly signal?: AbortSignal;
}

/** The result of a restore. */
export interface Restored {
  /** The new path of the replaced database; undefined if there was none. */
  readonly keptAs: string | undefined;
}

/**
 * Replaces a database with a backup and its key, and adds the backup's media files. Copies and opens the backup
 * first, so that an invalid backup or one of a newer Pipit replaces nothing. Keeps the replaced files under new
 * names. Throws BackupRefused for an invalid backup, missing media files (unless `withoutMedia`), an existing
 * database or key (unless `replace`), and an existing file that is not a database, since its path may be mistyped.
 * Throws DatabaseInUse while a process uses the database.
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
  { replace, withoutMedia, signal, places }: RestoreOptions,
): Promise<Restored> {
  const keyFile = places.key?.kind === 'file' ? places.key.file : keyFileBeside(database);
  const draft = draftOf(database);
  try {
    await copyFile(file, draft);
    await chmod(draft, FILE_MODE);
    requireNotStopped(signal);
    const { key, hasMedia } = await extractBackupFacts(draft, file);
    if (places.key?.kind === 'given') requireGivenKey(places.key.key, key);
    else await copyKeyAside(keyFile, key, replace);
    if (hasMedia && !withoutMedia) await restoreMedia(file, database, places);
    await syncFile(draft);
    requireNotStopped(signal);
    const keptAs = (await fileExists(database)) ? await renameAside(database) : undefined;
    if (places.key?.kind !== 'given') await replacePrivateFile(keyFile, key);
    await rename(draft, database);
    await syncFolder(dirname(database));
    return { keptAs };
  } finally {
    await removeDatabase(draft);
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
async function copyKeyAside(keyFile: string, key: Uint8Array, replace: boolean): Promise<void> {
  if (!(await fileExists(keyFile)) || (await readFile(keyFile)).equals(key)) return;
  if (!replace) throw new BackupRefused(`${keyFile} is another database's key: --yes replaces it`);
  await copyFile(keyFile, await freeName(`${keyFile}.before-restore`));
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

/**
 * Adds media files without replacing any: names are random, and other databases in the folder may have files there.
 */
async function restoreMedia(file: string, database: string, places: PlacesBeside): Promise<void> {
  const from = mediaFolderOf(file);
  if (!(await fileExists(from))) {
    throw new BackupRefused(`${from} is missing: it belongs to ${file} (--without-media restores the rest)`);
  }
  const to = mediaFolderBeside(database, places);
  if (to !== undefined) return copyBlobs(from, to);
  const drafts = await mkdtemp(join(tmpdir(), 'pipit-restore-'));
  const blobs = await openBlobs(places.media, drafts);
  try {
    await storeBlobs(from, blobs);
  } finally {
    await blobs.close();
    await rm(drafts, { recursive: true });
  }
}

/** Turns a copy of a backup into a database and returns the facts stored in the backup. */
async function extractBackupFacts(copy: string, file: string): Promise<BackupFacts> {
  return useFile(copy, async (engine) => {
    const facts = await findBackupFacts(engine).catch((cause: unknown) => {
      throw new BackupRefused(`${file} is not a Pipit backup`, { cause });
    });
    await engine.tx('restore', async (tx) => {
      await removeBackupFacts(tx);
      await endLeases(tx, systemClock());
      await endServers(tx, systemClock());
    });
    return facts;
  }).catch((error: unknown) => {
    if (error instanceof Error && hasCode(error.cause, 'SQLITE_NOTADB')) {
      throw new BackupRefused(`${file} is not a Pipit backup`, { cause: error });
    }
    throw error;
  });
}

function useFile<T>(file: string, work: (engine: Engine) => Promise<T>): Promise<T> {
  return useEngine(`sqlite:${file}`, { durability: 'full' }, work);
}

function draftOf(file: string): string {
  return `${file}.${randomBytes(6).toString('hex')}`;
}

async function removeDatabase(file: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm']) await rm(file + suffix, { force: true });
}
