import { readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { StorageUnavailable } from '../database/errors.js';
import { lockFile, type FileLock, type LockKind } from '../database/file-lock.js';
import { createEmptyFile, createPrivateFolder } from '../database/private-file.js';

const LOCK_SUFFIX = '-lock';

/** Holds the id of the process that serves a database. It is believed only while that process holds the lock. */
const PID_SUFFIX = '-pid';

const FILE_MODE = 0o600;

/** Another process uses the database; the message says which, and what to do. */
class DatabaseInUse extends Error {
  override readonly name = 'DatabaseInUse';
}

/** That this process uses a database file. */
export interface DatabaseUse {
  end(): Promise<void>;
}

/** Marks a database file as used, beside other users. Throws DatabaseInUse while a restore replaces it. */
export async function useDatabase(file: string): Promise<DatabaseUse> {
  const path = await settledPath(file);
  const lock = await lockBeside(path, 'shared');
  if (!lock) throw new DatabaseInUse(`${path} is being restored: try again when that is done`);
  return { end: async () => lock.release() };
}

/**
 * Marks a database file as served by this process, whose id is `pid`. Throws DatabaseInUse, with the id of the process, when another one
 * serves it, unless `shares`.
 */
export async function serveDatabase(
  file: string,
  { pid, shares }: { readonly pid: number; readonly shares: boolean },
): Promise<DatabaseUse> {
  const path = await settledPath(file);
  const lock = await lockBeside(path, 'leader');
  if (lock) {
    await writeFile(path + PID_SUFFIX, `${pid}\n`, { mode: FILE_MODE });
    return {
      end: async () => {
        await rm(path + PID_SUFFIX, { force: true });
        lock.release();
      },
    };
  }
  if (shares) return useDatabase(path);
  throw new DatabaseInUse(
    `${await serverOf(path)} serves ${path} already: stop it, or let both serve it with --share-database`,
  );
}

/** Keeps every other process away from a database file. Throws DatabaseInUse when one uses it. */
export async function keepDatabase(file: string): Promise<DatabaseUse> {
  const path = await settledPath(file);
  const lock = await lockBeside(path, 'exclusive');
  if (lock) return { end: async () => lock.release() };
  throw new DatabaseInUse(`${await userOf(path)} uses ${path}: stop it first`);
}

async function userOf(path: string): Promise<string> {
  const lock = await lockBeside(path, 'leader');
  lock?.release();
  return lock ? 'another process' : serverOf(path);
}

async function serverOf(path: string): Promise<string> {
  const pid = await readFile(path + PID_SUFFIX, 'utf8').catch(() => '');
  return /^[0-9]+\n$/.test(pid) ? `process ${pid.trim()}` : 'another process';
}

async function lockBeside(path: string, kind: LockKind): Promise<FileLock | undefined> {
  const file = path + LOCK_SUFFIX;
  try {
    await createEmptyFile(file);
    return lockFile(file, kind);
  } catch (cause) {
    throw new StorageUnavailable(`cannot lock ${file}`, { cause });
  }
}

/** Throws StorageUnavailable for a folder in the place of a database file. */
export async function requireNoFolder(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory() !== true) return;
  throw new StorageUnavailable(`${file} is a folder: name the database in it, as ${join(file, 'pipit.db')}`);
}

/** Resolves to the path behind symbolic links, and makes the folder when it is missing. */
async function settledPath(file: string): Promise<string> {
  await requireNoFolder(file);
  try {
    await createPrivateFolder(dirname(file));
    return await realpath(file).catch(async () => join(await realpath(dirname(file)), basename(file)));
  } catch (cause) {
    throw new StorageUnavailable(`cannot create ${file}`, { cause });
  }
}
