import { randomBytes } from 'node:crypto';
import { rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { namesIn, orMissing, syncFolder } from '../../database/private-file.js';
import { BackupRefused } from './backup-refused.js';
import { readManifest, type Manifest } from './manifest.js';

/** A complete backup. */
export interface FoundBackup {
  readonly path: string;
  readonly manifest: Manifest;
}

/** Ends the names of folders that are being written or deleted. */
const PARTIAL = /\.partial-[0-9a-f]{12}$/;

/** A folder that nobody has worked on for this long was left behind by a killed process. */
const ABANDONED_MS = 60 * 60_000;

/** Returns a name for a backup while it is not complete. */
export function partialName(path: string): string {
  return `${path}.partial-${randomBytes(6).toString('hex')}`;
}

/** Returns the complete backups in a folder, newest first. */
export async function listBackups(folder: string): Promise<FoundBackup[]> {
  const found: FoundBackup[] = [];
  for (const name of await foldersIn(folder)) {
    const path = join(folder, name);
    const manifest = PARTIAL.test(name) ? undefined : await readManifest(path);
    if (manifest !== undefined) found.push({ path, manifest });
  }
  return found.sort((one, other) => other.manifest.createdAtMs - one.manifest.createdAtMs);
}

async function foldersIn(folder: string): Promise<string[]> {
  return namesIn(folder).catch((error: unknown) => {
    throw new BackupRefused(`${folder} is no folder of backups`, { cause: error });
  });
}

/**
 * Returns the backup in a folder, or the newest of those in it, up to a time if one is given. Throws BackupRefused if
 * there is none.
 */
export async function chooseBackup(path: string, untilMs?: number): Promise<FoundBackup> {
  const manifest = await readManifest(path);
  if (manifest !== undefined) {
    if (untilMs === undefined || manifest.createdAtMs <= untilMs) return { path, manifest };
    throw new BackupRefused(`${path} was made later, at ${new Date(manifest.createdAtMs).toISOString()}`);
  }
  const found = await listBackups(path);
  const chosen = found.find(
    ({ manifest: { createdAtMs } }) => untilMs === undefined || createdAtMs <= untilMs,
  );
  if (chosen !== undefined) return chosen;
  const oldest = found.at(-1);
  throw new BackupRefused(
    oldest === undefined
      ? `${path} is not a Pipit backup, and no folder with any`
      : `the oldest backup in ${path} is of ${new Date(oldest.manifest.createdAtMs).toISOString()}`,
  );
}

/** Deletes all but the newest backups in a folder. Returns the paths of the deleted ones. */
export async function keepNewest(folder: string, count: number): Promise<string[]> {
  const old = (await listBackups(folder)).slice(count).map(({ path }) => path);
  for (const path of old) {
    // What is left after a crash does not look like a backup.
    const partial = partialName(path);
    await rename(path, partial);
    await syncFolder(folder);
    await rm(partial, { recursive: true });
  }
  return old;
}

/** Deletes what killed processes have left in a folder, of backups whose names begin with `prefix`. */
export async function removeAbandoned(folder: string, prefix = ''): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (!PARTIAL.test(name) || !basename(name).startsWith(prefix)) continue;
    const path = join(folder, name);
    const found = await orMissing(stat(path));
    // A backup that is being written is touched each minute.
    if (found && found.mtimeMs < Date.now() - ABANDONED_MS) await rm(path, { recursive: true, force: true });
  }
}
