import { lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { lockFile } from '../../database/file-lock.js';
import { createCountersFolder, removeCountersFolder, usualPlace } from './counters.js';

const PREFIX = 'pipit-counters-';

/** Of folders that are not locked yet: those of servers that start this moment. */
const DRAFT_PREFIX = 'pipit-starting-counters-';
const LOCK_FILE = 'lock';

export interface CountersFolder extends Disposable {
  readonly path: string;
}

/**
 * Makes a folder for the counters of `slots` processes and holds its lock until it is disposed of, which removes it. First
 * removes the folders of this user's servers that no longer run: the system ends their locks, however they ended.
 */
export function claimCountersFolder(slots: number, place?: string): CountersFolder {
  const where = place || usualPlace();
  removeDeadFolders(where);
  const draft = createCountersFolder(slots, where, DRAFT_PREFIX);
  const lock = lockFile(join(draft, LOCK_FILE), 'leader');
  const path = join(where, basename(draft).replace(DRAFT_PREFIX, PREFIX));
  renameSync(draft, path);
  return {
    path,
    [Symbol.dispose]: () => {
      removeCountersFolder(path);
      lock?.release();
    },
  };
}

function removeDeadFolders(place: string): void {
  const names = readdirSync(place).filter((name) => name.startsWith(PREFIX));
  for (const name of names) {
    try {
      removeIfDead(join(place, name));
    } catch {
      // Another server removes it this moment, or this user may not: either way it does not keep this one from starting.
    }
  }
}

/** What has no lock file was not made by this function, and a link is nobody's folder. */
function removeIfDead(folder: string): void {
  const found = lstatSync(folder);
  const file = join(folder, LOCK_FILE);
  if (!found.isDirectory() || found.uid !== userInfo().uid || !lstatSync(file).isFile()) return;
  const lock = lockFile(file, 'exclusive');
  if (!lock) return;
  rmSync(folder, { recursive: true, force: true });
  lock.release();
}
