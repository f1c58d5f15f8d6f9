import { join } from 'node:path';
import { fileExists } from '../../database/private-file.js';
import { keepNewest, removeAbandoned } from './find-backups.js';
import type { Manifest } from './manifest.js';
import { writeBackup, type BackupOptions, type BackupSource } from './write-backup.js';

export interface FolderOptions extends BackupOptions {
  /** How many backups stay, the new one included; all if undefined. */
  readonly keep: number | undefined;
}

/** A new backup in a folder of backups. */
export interface NewBackup {
  readonly path: string;
  readonly manifest: Manifest;
  /** The paths of the old ones that were deleted. */
  readonly deleted: readonly string[];
}

/**
 * Writes a backup into a folder, named by its time, and then deletes the oldest ones. Also deletes what killed processes
 * have left there. Throws as `writeBackup` does; then no backup was deleted.
 */
export async function backUpInto(
  folder: string,
  source: BackupSource,
  options: FolderOptions,
): Promise<NewBackup> {
  await removeAbandoned(folder);
  const path = await freePath(folder, source.clock());
  const manifest = await writeBackup(path, source, options);
  const deleted = options.keep === undefined ? [] : await keepNewest(folder, options.keep);
  return { path, manifest, deleted };
}

/** Names sort as their times do, and need no quotes in any shell or file system. */
async function freePath(folder: string, nowMs: number): Promise<string> {
  const name = new Date(nowMs).toISOString().slice(0, -'.000Z'.length).replaceAll(':', '-');
  let path = join(folder, `${name}Z`);
  for (let count = 2; await fileExists(path); count += 1) path = join(folder, `${name}Z-${count}`);
  return path;
}
