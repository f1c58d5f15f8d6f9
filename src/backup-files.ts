import { randomBytes } from 'node:crypto';
import { chmod, copyFile, link, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileBesideDatabase } from './backend.js';
import { systemClock } from './core/clock.js';
import { MEDIA_FOLDER } from './media-folder.js';
import { keyFileBeside, loadKeyFile } from './services/key-file.js';
import {
  endLeases,
  findBackupFacts,
  findMediaIds,
  hasLease,
  putBackupFacts,
  removeBackupFacts,
  type BackupFacts,
} from './storage/backups.js';
import { copyBlobs, keepBlobsOf } from './storage/blobs/copy-blobs.js';
import type { Engine } from './storage/engine.js';
import { openEngine } from './storage/open-engine.js';
import {
  createPrivateFolder,
  fileExists,
  hasCode,
  replacePrivateFile,
  syncFile,
  syncFolder,
} from './storage/private-file.js';

const FILE_MODE = 0o600;

/** A backup or restore cannot be done; the message tells why. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused';
}

/** The folder beside a backup, or beside a name that it is to get, in which its files of media lie. */
function mediaFolderOf(file: string): string {
  return `${file}.media`;
}

/**
 * Writes a consistent copy of a database to a new file (mode 0600), with the key that its sealed secrets need, and the
 * files of its media to a folder beside it. Both appear whole and on disk, the file last, or not at all. Resolves to the
 * folder; undefined when there are no media. Throws BackupRefused when there is such a file or folder already.
 */
export async function writeBackupFile(databaseUrl: string, file: string): Promise<string | undefined> {
  for (const each of [file, mediaFolderOf(file)]) {
    if (await fileExists(each)) throw overwritesNothing(each);
  }
  const draft = draftOf(file);
  try {
    const hasMedia = await copyWithMedia(databaseUrl, draft);
    await syncFile(draft);
    if (hasMedia) await rename(mediaFolderOf(draft), mediaFolderOf(file));
    await publish(draft, file, hasMedia);
    return hasMedia ? mediaFolderOf(file) : undefined;
  } finally {
    await removeDatabase(draft);
    await rm(mediaFolderOf(draft), { recursive: true, force: true });
  }
}

/**
 * The files are taken before the rows, as those of a post that is deleted after that moment may be gone a moment later;
 * and again after them, for what was added in between. What the rows do not know in the end is left out.
 */
async function copyWithMedia(databaseUrl: string, draft: string): Promise<boolean> {
  const [from, to] = [fileBesideDatabase(databaseUrl, MEDIA_FOLDER), mediaFolderOf(draft)];
  if (from !== undefined) await copyBlobs(from, to);
  await using(databaseUrl, (engine) => engine.backup(draft));
  if (from !== undefined) await copyBlobs(from, to);
  const key = await loadKeyFile(keyFileBeside(databaseUrl.replace(/^sqlite:/, '')));
  return using(`sqlite:${draft}`, async (copy) => {
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
  return new BackupRefused(`${file} exists: a backup overwrites nothing`);
}

/**
 * Puts a backup in the place of a database, with its key, and its files of media beside those that are there. The backup
 * is copied and opened first, so that nothing is replaced by what is no backup, or a newer Pipit's. Throws BackupRefused
 * for a file that is none, or whose files of media are missing (unless `withoutMedia`), for a database that is there
 * (unless `replace`) and for one that a server uses; what opening throws.
 */
export async function restoreBackupFile(
  file: string,
  database: string,
  { replace, withoutMedia }: { readonly replace: boolean; readonly withoutMedia: boolean },
): Promise<void> {
  if (await fileExists(database)) await requireReplaceable(database, replace);
  const draft = draftOf(database);
  await createPrivateFolder(dirname(database));
  try {
    await copyFile(file, draft);
    await chmod(draft, FILE_MODE);
    const { key, hasMedia } = await openUp(draft, file);
    await requireKeyReplaceable(keyFileBeside(database), key, replace);
    if (hasMedia && !withoutMedia) await restoreMedia(file, database);
    await syncFile(draft);
    // From here on old and new must not be mixed: SQLite would apply the old log to the new file.
    await rm(`${database}-wal`, { force: true });
    await rm(`${database}-shm`, { force: true });
    await replacePrivateFile(keyFileBeside(database), key);
    await rename(draft, database);
    await syncFolder(dirname(database));
  } finally {
    await removeDatabase(draft);
  }
}

/** Files are added only: their names are chosen by chance, and other databases of the folder may have theirs there. */
async function restoreMedia(file: string, database: string): Promise<void> {
  const from = mediaFolderOf(file);
  if (!(await fileExists(from))) {
    throw new BackupRefused(`${from} is missing: it belongs to ${file} (--without-media restores the rest)`);
  }
  await copyBlobs(from, join(dirname(database), MEDIA_FOLDER));
}

async function requireReplaceable(database: string, replace: boolean): Promise<void> {
  if (!replace) throw new BackupRefused(`${database} exists: --force replaces it`);
  if (await isInUse(database))
    throw new BackupRefused(
      `a process uses ${database}: stop it first (after a crash, this passes within three minutes)`,
    );
}

/** A database that does not open is in nobody's use: replacing it may be why there are backups. */
async function isInUse(database: string): Promise<boolean> {
  try {
    return await using(`sqlite:${database}`, (engine) => hasLease(engine, systemClock()));
  } catch {
    return false;
  }
}

/** Other databases of the folder may need the key that is there. */
async function requireKeyReplaceable(keyFile: string, key: Uint8Array, replace: boolean): Promise<void> {
  if (replace || !(await fileExists(keyFile))) return;
  if (!(await readFile(keyFile)).equals(key))
    throw new BackupRefused(`${keyFile} is another database's key: --force replaces it`);
}

/** Makes a copy of a backup a database, and resolves to what travelled with it. */
async function openUp(copy: string, file: string): Promise<BackupFacts> {
  return using(`sqlite:${copy}`, async (engine) => {
    const facts = await findBackupFacts(engine).catch((cause: unknown) => {
      throw new BackupRefused(`${file} is no backup of Pipit`, { cause });
    });
    await engine.tx('restore', async (tx) => {
      await removeBackupFacts(tx);
      await endLeases(tx, systemClock());
    });
    return facts;
  });
}

async function using<T>(databaseUrl: string, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openEngine(databaseUrl, { durability: 'full' });
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
