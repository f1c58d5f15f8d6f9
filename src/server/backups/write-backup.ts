import { appendFile, chmod, mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../core/clock.js';
import type { Engine } from '../../database/engine.js';
import {
  createPrivateFolder,
  fileExists,
  hasCode,
  orMissing,
  syncFolder,
} from '../../database/private-file.js';
import type { MediaPlace } from '../../stores/blobs/media-place.js';
import { openBlobs } from '../../stores/blobs/open-blobs.js';
import { pipitVersion } from '../pipit-version.js';
import { BackupRefused } from './backup-refused.js';
import { lineOf, sumOf, type FileSum } from './checksums.js';
import { copyMedia } from './copy-media.js';
import { listBackups, partialName, removeAbandoned } from './find-backups.js';
import { holdFiles, type FileHold } from './hold-files.js';
import { DATABASE_FILES, KEY, MANIFEST, printManifest, SUMS, type Manifest } from './manifest.js';
import { NameSpool } from './name-spool.js';
import { engineOf, writeSnapshot } from './snapshot-source.js';
import { syncTree } from './sync-tree.js';

/** A Pipit to back up. Servers may use it. */
export interface BackupSource {
  /** The URL of the database, which `engine` has open. */
  readonly database: string;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly key: Buffer;
  /** Where its media are, and the folder if that is undefined. */
  readonly media: MediaPlace | undefined;
  readonly mediaFolder: string;
  /** The folder of PostgreSQL's programs; by default PATH. */
  readonly programs: string | undefined;
}

export interface BackupOptions {
  readonly withoutMedia?: boolean;
  /** Ends the backup, which then leaves nothing. */
  readonly signal: AbortSignal;
}

const FILE_MODE = 0o600;

/**
 * Writes a backup to a new folder (mode 0700), which appears complete and on disk, or not at all. Throws BackupRefused if
 * it exists, ProgramFailed without the programs of PostgreSQL, system errors for a full disk, and the reason of
 * `signal`.
 */
export async function writeBackup(
  path: string,
  source: BackupSource,
  { withoutMedia = false, signal }: BackupOptions,
): Promise<Manifest> {
  await requireFree(path);
  await createPrivateFolder(dirname(path));
  await removeAbandoned(dirname(path), basename(path));
  const draft = partialName(path);
  await mkdir(draft, { mode: 0o700 });
  try {
    const hold = await holdFiles(source.engine, source.clock, () => touch(draft));
    let manifest: Manifest;
    try {
      manifest = await fill(draft, source, { withoutMedia, signal, hold, beside: dirname(path) });
    } finally {
      await hold.end();
    }
    await syncTree(draft);
    signal.throwIfAborted();
    await publish(draft, path);
    return manifest;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

function touch(folder: string): void {
  const now = new Date();
  utimes(folder, now, now).catch(() => undefined);
}

interface Filling extends BackupOptions {
  readonly withoutMedia: boolean;
  readonly hold: FileHold;
  /** The folder with earlier backups. */
  readonly beside: string;
}

/** Writes the files of a backup. */
async function fill(folder: string, source: BackupSource, filling: Filling): Promise<Manifest> {
  const { signal, hold } = filling;
  const engine = engineOf(source.database);
  const file = join(folder, DATABASE_FILES[engine]);
  const names = new NameSpool(join(folder, 'names'));
  const createdAtMs = source.clock();
  const facts = await writeSnapshot({ ...source, file, names, signal });
  await chmod(file, FILE_MODE);
  await writeFile(join(folder, KEY), source.key, { mode: FILE_MODE });
  for (const each of [file, join(folder, KEY)]) await addSums(folder, [await namedSum(folder, each)]);
  signal.throwIfAborted();
  const media = filling.withoutMedia ? undefined : await copyFiles(folder, source, names, filling);
  hold.requireHeld();
  await names.remove();
  const { size: databaseBytes } = await stat(file);
  const manifest = { createdAtMs, pipit: pipitVersion(), engine, databaseBytes, media, ...facts };
  await writeFile(join(folder, MANIFEST), printManifest(manifest), { mode: FILE_MODE });
  await addSums(folder, [await namedSum(folder, join(folder, MANIFEST))]);
  return manifest;
}

async function copyFiles(
  to: string,
  { media, mediaFolder, key }: BackupSource,
  names: NameSpool,
  { signal, beside }: Filling,
): Promise<Manifest['media']> {
  const blobs = await openBlobs(media, mediaFolder);
  const folder = media?.kind === 's3' ? undefined : (media?.folder ?? mediaFolder);
  const previous = await findPrevious(beside, key);
  try {
    const from = { blobs, folder };
    return await copyMedia({ names, from, to, previous, signal, onFiles: (sums) => addSums(to, sums) });
  } finally {
    await blobs.close();
  }
}

/** Returns the newest backup of the same Pipit, which has the same key, with files of media. */
async function findPrevious(folder: string, key: Buffer): Promise<string | undefined> {
  for (const { path, manifest } of await listBackups(folder)) {
    if (manifest.media === undefined) continue;
    if ((await orMissing(readFile(join(path, KEY))))?.equals(key)) return path;
  }
  return undefined;
}

async function namedSum(folder: string, file: string): Promise<FileSum> {
  return { name: file.slice(folder.length + 1), sha256: (await sumOf(file)).sha256 };
}

async function addSums(folder: string, sums: readonly FileSum[]): Promise<void> {
  await appendFile(join(folder, SUMS), sums.map(lineOf).join(''), { mode: FILE_MODE });
}

async function requireFree(path: string): Promise<void> {
  if (await fileExists(path)) throw taken(path);
}

/** Gives the complete backup its name. Throws BackupRefused if something has taken it meanwhile. */
async function publish(draft: string, path: string): Promise<void> {
  await requireFree(path);
  try {
    await rename(draft, path);
  } catch (error) {
    throw ['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].some((code) => hasCode(error, code)) ? taken(path) : error;
  }
  await syncFolder(dirname(path));
}

function taken(path: string): BackupRefused {
  return new BackupRefused(`${path} exists: a backup never overwrites anything`);
}
