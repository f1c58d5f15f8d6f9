import { randomUUID } from 'node:crypto';
import { accessSync, constants, mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSharedNonces } from '../../limits/nonces-shared.js';
import { createMemoryNonces, type NonceStore } from '../../limits/nonces.js';
import { openSharedWindows, type SharedPlace } from '../../limits/rate-windows-shared.js';
import { createMemoryWindows, type RateWindowStore } from '../../limits/rate-windows.js';
import { createCellsFile } from '../../limits/shared-cells.js';
import { systemClock } from '../../core/clock.js';

/** What requests count against, whichever process answers them. */
export interface Counters {
  readonly windows: RateWindowStore;
  readonly nonces: NonceStore;
  /** The name of those who count together in this way, which no others have. */
  readonly crew: string;
  /** When they began to. */
  readonly startedAtMs: number;
}

const WINDOWS_FILE = 'windows';
const NONCES_FOLDER = 'nonces';
const CREW_FILE = 'crew';
const STARTED_FILE = 'started';

/** Linux keeps the files of this folder in memory: writing there costs less than half of what it does on a disk. */
const MEMORY_FOLDER = '/dev/shm';

/**
 * Makes a folder for the counters of `slots` processes, for this user alone, in `place`; returns its path. Nothing in it
 * outlives a start of the server, as counters in memory do not. Throws system errors.
 */
export function createCountersFolder(
  slots: number,
  place = usualPlace(),
  prefix = 'pipit-counters-',
): string {
  const folder = mkdtempSync(join(place, prefix));
  createCellsFile(join(folder, WINDOWS_FILE), slots);
  mkdirSync(join(folder, NONCES_FOLDER), { mode: 0o700 });
  writeFileSync(join(folder, CREW_FILE), randomUUID(), { mode: 0o600 });
  writeFileSync(join(folder, STARTED_FILE), String(systemClock()), { mode: 0o600 });
  return folder;
}

/** Returns the folder in memory, or the one of temporary files where there is none. */
export function usualPlace(): string {
  try {
    accessSync(MEMORY_FOLDER, constants.W_OK | constants.X_OK);
    return MEMORY_FOLDER;
  } catch {
    return tmpdir();
  }
}

/** Removes what `createCountersFolder` made; processes that have it open can go on. */
export function removeCountersFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** The counters of a process that is alone, in its memory. */
export function createMemoryCounters(startedAtMs = systemClock()): Counters {
  return { windows: createMemoryWindows(), nonces: createMemoryNonces(), crew: randomUUID(), startedAtMs };
}

/** Opens the counters for one process, until it ends. Throws system errors. */
export function openCounters(folder: string, place: SharedPlace): Counters {
  return {
    windows: openSharedWindows(join(folder, WINDOWS_FILE), place),
    nonces: openSharedNonces(join(folder, NONCES_FOLDER)),
    crew: readFileSync(join(folder, CREW_FILE), 'utf8'),
    startedAtMs: Number(readFileSync(join(folder, STARTED_FILE), 'utf8')),
  };
}
