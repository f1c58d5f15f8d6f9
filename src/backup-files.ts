import { randomBytes } from 'node:crypto';
import { chmod, copyFile, link, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemClock } from './core/clock.js';
import { keyFileBeside, loadKeyFile } from './services/key-file.js';
import { endLeases, findBackupKey, hasLease, putBackupKey, removeBackupKey } from './storage/backups.js';
import type { Engine } from './storage/engine.js';
import { openEngine } from './storage/open-engine.js';
import {
  createPrivateFolder,
  fileExists,
  hasCode,
  replacePrivateFile,
  syncFolder,
} from './storage/private-file.js';

const FILE_MODE = 0o600;

/** A backup or restore cannot be done; the message tells why. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused';
}

/**
 * Writes a consistent copy of a database to a new file (mode 0600), with the key that its sealed secrets need. The file
 * appears whole and on disk, or not at all. Throws BackupRefused when there is one already.
 */
export async function writeBackupFile(databaseUrl: string, file: string): Promise<void> {
  if (await fileExists(file)) throw new BackupRefused(`${file} exists: a backup overwrites nothing`);
  const draft = draftOf(file);
  const database = databaseUrl.replace(/^sqlite:/, '');
  try {
    await using(databaseUrl, (engine) => engine.backup(draft));
    const key = await loadKeyFile(keyFileBeside(database));
    await using(`sqlite:${draft}`, (copy) => copy.tx('put backup key', (tx) => putBackupKey(tx, key)));
    await publish(draft, file);
  } finally {
    await removeDatabase(draft);
  }
}

/** Gives the copy its name, unless another backup has taken it meanwhile. */
async function publish(draft: string, file: string): Promise<void> {
  await sync(draft);
  try {
    await link(draft, file);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw new BackupRefused(`${file} exists: a backup overwrites nothing`);
    throw error;
  }
  await syncFolder(dirname(file));
}

/**
 * Puts a backup in the place of a database, with its key. The backup is copied and opened first, so that nothing is
 * replaced by what is no backup, or a newer Pipit's. Throws BackupRefused for a file that is none, for a database that
 * is there (unless `replace`) and for one that a server uses; what opening throws.
 */
export async function restoreBackupFile(
  file: string,
  database: string,
  { replace }: { readonly replace: boolean },
): Promise<void> {
  if (await fileExists(database)) await requireReplaceable(database, replace);
  const draft = draftOf(database);
  await createPrivateFolder(dirname(database));
  try {
    await copyFile(file, draft);
    await chmod(draft, FILE_MODE);
    const key = await openUp(draft, file);
    await requireKeyReplaceable(keyFileBeside(database), key, replace);
    await sync(draft);
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

/** Makes a copy of a backup a database, and resolves to its key. */
async function openUp(copy: string, file: string): Promise<Uint8Array> {
  return using(`sqlite:${copy}`, async (engine) => {
    const key = await findBackupKey(engine).catch((cause: unknown) => {
      throw new BackupRefused(`${file} is no backup of Pipit`, { cause });
    });
    await engine.tx('restore', async (tx) => {
      await removeBackupKey(tx);
      await endLeases(tx, systemClock());
    });
    return key;
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

async function sync(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
