import { mkdir, open, realpath, type FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { StorageUnavailable } from '../errors.js';

/** Data, tokens and secrets are for the server's own user (design section 6). */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/**
 * Creates the database file (0600) and its folder (0700) where they are missing; SQLite gives its side files the mode
 * of the database. Resolves to the path behind symbolic links, beside which SQLite puts the log.
 *
 * An existing file is never opened here: closing it would drop the POSIX locks that this process holds on it through
 * SQLite (sqlite.org/howtocorrupt.html 2.2).
 */
export async function createDatabaseFile(file: string): Promise<string> {
  const path = resolve(file);
  try {
    const created = await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
    await createIfMissing(path);
    await syncFolder(dirname(path));
    if (created !== undefined) await syncFolder(dirname(created));
    return await realpath(path);
  } catch (cause) {
    throw new StorageUnavailable(`cannot create ${path}`, { cause });
  }
}

async function createIfMissing(path: string): Promise<void> {
  try {
    await createFile(path);
  } catch (error) {
    if (!isExisting(error)) throw error;
  }
}

/** Creates an empty file with mode 0600; throws EEXIST when there is one. */
export async function createFile(path: string): Promise<void> {
  const handle = await open(path, 'wx', FILE_MODE);
  await handle.close();
}

/** Makes names in a folder durable: a file's own sync does not cover its directory entry (fsync(2)). */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The log of an open database, for syncs; its name is durable when this resolves. SQLite holds no locks on it. */
export async function openWal(path: string): Promise<FileHandle> {
  const handle = await open(`${path}-wal`, 'r+');
  await syncFolder(dirname(path));
  return handle;
}

/** True for the error of creating what is there already. */
export function isExisting(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}
