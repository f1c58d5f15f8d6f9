import { once } from 'node:events';
import { rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AlreadyExists, StorageUnavailable } from '../errors.js';
import { createEmptyFile, fileExists, syncFolder } from '../private-file.js';
import { translated } from './driver-errors.js';

/**
 * Writes a backup with `copy` to a partial file and renames it when it is complete and on disk, so that a crash
 * cannot leave something that looks like a backup. The file has mode 0600. Throws AlreadyExists if
 * `file` or its partial file exists, StorageUnavailable if it cannot be written.
 */
export async function writeBackup(file: string, copy: (target: string) => Promise<void>): Promise<void> {
  const path = resolve(file);
  const partial = `${path}.partial`;
  await claim(path, partial);
  try {
    await copy(partial);
    await rename(partial, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(partial, { force: true });
    throw unavailable(path, translated(error));
  }
}

/** Copies a database file on another thread. SQLite syncs the copy. */
export async function copyInThread(source: string, target: string): Promise<void> {
  const worker = new Worker(new URL('./backup-worker.js', import.meta.url), {
    workerData: { source, target },
  });
  await once(worker, 'exit');
}

async function claim(path: string, partial: string): Promise<void> {
  const isClaimed = await createEmptyFile(partial).catch((error: unknown) => {
    throw unavailable(path, error);
  });
  if (!isClaimed) throw new AlreadyExists(`${partial} exists: a backup is running or was interrupted`);
  if (!(await fileExists(path))) return;
  await rm(partial);
  throw new AlreadyExists(`${path} exists: a backup never overwrites a file`);
}

function unavailable(path: string, cause: unknown): StorageUnavailable {
  return cause instanceof StorageUnavailable
    ? cause
    : new StorageUnavailable(`cannot write the backup ${path}`, { cause });
}
