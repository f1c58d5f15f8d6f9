import { readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { StorageUnavailable } from '../database/errors.js';
import { lockFile, type FileLock, type LockKind } from '../database/file-lock.js';
import { createEmptyFile, createPrivateFolder } from '../database/private-file.js';
import { NamedError } from '../core/named-error.js';

const LOCK_SUFFIX = '-lock';

/**
 * The suffix of the file with the id of the serving process, which is valid only while that process holds the lock.
 */
const PID_SUFFIX = '-pid';

const FILE_MODE = 0o600;

/** Thrown when another process uses the database; the message names it and the remedy. */
class DatabaseInUse extends NamedError {}

/** A registered use of a database file by this process. */
export interface DatabaseUse {
  end(): Promise<void>;
}

/** Registers a shared use of a database file. Throws DatabaseInUse during a restore. */
export async function useDatabase(file: string): Promise<DatabaseUse> {
  const path = await resolvePath(file);
  const lock = await lockBeside(path, 'shared');
  if (!lock) throw new DatabaseInUse(`${path} is being restored: try again afterwards`);
  return { end: async () => lock.release() };
}

/**
 * Registers this process, with the id `pid`, as the server of a database file. Throws DatabaseInUse, with the id of
 * the process, if another one serves it, unless `shares`.
 */
export async function serveDatabase(
  file: string,
  { pid, shares }: { readonly pid: number; readonly shares: boolean },
): Promise<DatabaseUse> {
  const path = await resolvePath(file);
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
    `${await serverOf(path)} already serves ${path}: stop it, or let both serve it with --share-database`,
  );
}

/** Acquires exclusive use of a database file. Throws DatabaseInUse if another process uses it. */
export async function keepDatabase(file: string): Promise<DatabaseUse> {
  const path = await resolvePath(file);
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

/** Throws StorageUnavailable if the path of a database file is a folder. */
export async function requireNoFolder(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory() !== true) return;
  throw new StorageUnavailable(`${file} is a folder: name a file in it, such as ${join(file, 'pipit.db')}`);
}

/** Resolves symbolic links and creates a missing folder. */
async function resolvePath(file: string): Promise<string> {
  await requireNoFolder(file);
  try {
    await createPrivateFolder(dirname(file));
    return await realpath(file).catch(async () => join(await realpath(dirname(file)), basename(file)));
  } catch (cause) {
    throw new StorageUnavailable(`cannot create ${file}`, { cause });
  }
}
