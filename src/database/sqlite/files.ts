import { open, realpath, type FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { StorageUnavailable } from '../errors.js';
import { createEmptyFile, createPrivateFolder, syncFolder } from '../private-file.js';

/**
 * Creates the database file (0600) and its folder (0700) if missing; SQLite gives its side files the mode of the
 * database. Returns the path with symbolic links resolved, beside which SQLite puts the log.
 *
 * Never opens an existing file: closing it would release the POSIX locks that this process holds through SQLite
 * (sqlite.org/howtocorrupt.html 2.2).
 */
export async function createDatabaseFile(file: string): Promise<string> {
  const path = resolve(file);
  try {
    const created = await createPrivateFolder(dirname(path));
    await createEmptyFile(path);
    await syncFolder(dirname(path));
    if (created !== undefined) await syncFolder(dirname(created));
    return await realpath(path);
  } catch (cause) {
    throw new StorageUnavailable(`cannot create ${path}`, { cause });
  }
}

/** Opens the log of an open database for syncs and makes its name durable. SQLite holds no locks on it. */
export async function openWal(path: string): Promise<FileHandle> {
  const handle = await open(`${path}-wal`, 'r+');
  await syncFolder(dirname(path));
  return handle;
}
