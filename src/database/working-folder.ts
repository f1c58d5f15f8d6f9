import { lstat, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { systemClock } from '../core/clock.js';
import { lockFile } from './file-lock.js';

/** The file that is locked as long as the folder is in use. */
const LOCK = 'lock';

/** A new folder may not be locked yet. Times of files are those of the machine, whatever clock a sandbox has. */
const MIN_AGE_MS = 60_000;

/** A temporary folder of one process. */
export interface WorkingFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** Creates a temporary folder whose path starts with `prefix`, and removes those that killed processes have left. */
export async function createWorkingFolder(prefix: string): Promise<WorkingFolder> {
  await removeAbandoned(prefix);
  const path = await mkdtemp(prefix);
  const lock = lockFile(join(path, LOCK), 'exclusive');
  return {
    path,
    remove: async () => {
      lock?.release();
      // A program that is about to end may still write.
      await rm(path, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function removeAbandoned(prefix: string): Promise<void> {
  const parent = dirname(prefix);
  const names = (await readdir(parent)).filter((name) => name.startsWith(basename(prefix)));
  for (const folder of names.map((name) => join(parent, name))) {
    if (await isAbandoned(folder)) await rm(folder, { recursive: true, force: true });
  }
}

/** Reports whether no process uses a folder. Folders of other users count as used. */
async function isAbandoned(folder: string): Promise<boolean> {
  try {
    // Windows has no such numbers.
    const { uid } = userInfo();
    if (uid !== -1 && (await lstat(folder)).uid !== uid) return false;
    const lock = join(folder, LOCK);
    if ((await stat(lock)).mtimeMs > systemClock() - MIN_AGE_MS) return false;
    const held = lockFile(lock, 'exclusive');
    held?.release();
    return held !== undefined;
  } catch {
    return false;
  }
}
