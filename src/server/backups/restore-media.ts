import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileExists, orMissing } from '../../database/private-file.js';
import { copyBlob } from '../../stores/blobs/copy-blobs.js';
import { pathOfBlob } from '../../stores/blobs/disk-blobs.js';
import type { MediaPlace } from '../../stores/blobs/media-place.js';
import { openBlobs } from '../../stores/blobs/open-blobs.js';
import { BackupRefused } from './backup-refused.js';
import { readSums, sumOf } from './checksums.js';
import { MEDIA } from './manifest.js';
import { syncTree } from './sync-tree.js';

/** Where the files of a restored Pipit go. */
export interface MediaTarget {
  readonly media: MediaPlace | undefined;
  /** The folder of files of media, if `media` is undefined. */
  readonly mediaFolder: string;
}

export interface RestoreMediaOptions {
  /** Leaves out files that are missing or damaged. */
  readonly skipsDamaged: boolean;
  readonly signal: AbortSignal;
}

/**
 * Adds the files of a backup to a store without replacing any: names are random, and others may have files there.
 * Compares each with its checksum first. Returns the damaged ones; throws BackupRefused at the first, unless
 * `skipsDamaged`.
 */
export async function restoreMedia(
  backup: string,
  target: MediaTarget,
  { skipsDamaged, signal }: RestoreMediaOptions,
): Promise<string[]> {
  const damaged: string[] = [];
  await using store = await openTarget(target);
  for await (const { name: path, sha256 } of readSums(backup)) {
    if (!path.startsWith(`${MEDIA}/`)) continue;
    signal.throwIfAborted();
    const found = await orMissing(sumOf(join(backup, path)));
    if (found?.sha256 === sha256) {
      await store.add(path.slice(`${MEDIA}/00/`.length), join(backup, path));
      continue;
    }
    if (!skipsDamaged)
      throw new BackupRefused(
        `${join(backup, path)} is ${found ? 'damaged' : 'missing'} (--skip-damaged restores the rest, --without-media no files)`,
      );
    damaged.push(path);
  }
  await store.sync();
  return damaged;
}

interface OpenTarget extends AsyncDisposable {
  add(name: string, file: string): Promise<void>;
  sync(): Promise<void>;
}

async function openTarget({ media, mediaFolder }: MediaTarget): Promise<OpenTarget> {
  if (media?.kind !== 's3') return folderTarget(media?.folder ?? mediaFolder);
  const drafts = await mkdtemp(join(tmpdir(), 'pipit-restore-'));
  const blobs = await openBlobs(media, drafts);
  return {
    add: async (name, file) => {
      if ((await blobs.findSizeBytes(name)) !== undefined) return;
      const draft = await blobs.newDraft();
      await copyFile(file, draft);
      await blobs.put(name, draft);
    },
    sync: () => Promise.resolve(),
    [Symbol.asyncDispose]: async () => {
      await blobs.close();
      await rm(drafts, { recursive: true });
    },
  };
}

function folderTarget(folder: string): OpenTarget {
  return {
    add: async (name, file) => void (await copyBlob(file, pathOfBlob(folder, name))),
    sync: async () => {
      if (await fileExists(folder)) await syncTree(folder);
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
