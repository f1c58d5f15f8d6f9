import type { Clock } from '../../core/clock.js';
import type { MediaId } from '../../core/ids.js';
import { UPLOAD_LIFE_MS } from '../../core/media.js';
import type { Engine } from '../../database/engine.js';
import type { BlobStore } from '../../stores/blobs/blob-store.js';
import { mayDeleteFiles } from '../../stores/media-holds.js';
import { deleteMedia, deleteOldUploads, listExpiredMedia } from '../../stores/media-uploads.js';
import { findBytes } from '../../stores/media-usage.js';
import { inChunks } from '../chunks.js';

export interface UnusedMediaDeps {
  readonly engine: Engine;
  readonly blobs: Pick<BlobStore, 'deleteFolder' | 'deleteDrafts'>;
  readonly clock: Clock;
}

const EXPIRED_CHUNK = 100;

/** Tolerates clock differences between processes: media expired for one may just have been used by another. */
const GRACE_MS = 60 * 60 * 1000;

/** Media and the bytes that they count for their owners. */
export interface MediaTotal {
  readonly media: number;
  readonly bytes: number;
}

/** Counts the expired uploads and the media that no post or message uses. */
export async function countUnusedMedia({
  engine,
  clock,
}: Omit<UnusedMediaDeps, 'blobs'>): Promise<MediaTotal> {
  const ids = await listExpiredMedia(engine, clock() - GRACE_MS, Number.MAX_SAFE_INTEGER);
  return totalOf(engine, ids);
}

/**
 * Deletes expired uploads and media that no post or message uses. Files are deleted first, so that after a crash the
 * rows still lead to the remaining files.
 */
export async function deleteUnusedMedia(
  { engine, blobs, clock }: UnusedMediaDeps,
  signal: AbortSignal,
): Promise<MediaTotal> {
  const beforeMs = clock() - GRACE_MS;
  let total = { media: 0, bytes: 0 };
  await inChunks(EXPIRED_CHUNK, async () => {
    signal.throwIfAborted();
    // Housekeeping comes again in an hour.
    if (!(await mayDeleteFiles(engine, clock()))) return 0;
    const ids = await listExpiredMedia(engine, beforeMs, EXPIRED_CHUNK);
    const { media, bytes } = await totalOf(engine, ids);
    for (const id of ids) await blobs.deleteFolder(String(id));
    await engine.tx('delete unused media', (tx) => deleteMedia(tx, ids));
    total = { media: total.media + media, bytes: total.bytes + bytes };
    return ids.length;
  });
  await engine.tx('delete expired uploads', (tx) => deleteOldUploads(tx, beforeMs));
  await blobs.deleteDrafts(clock() - UPLOAD_LIFE_MS);
  return total;
}

async function totalOf(engine: Engine, ids: readonly MediaId[]): Promise<MediaTotal> {
  let bytes = 0;
  for (let at = 0; at < ids.length; at += EXPIRED_CHUNK)
    for (const size of (await findBytes(engine, ids.slice(at, at + EXPIRED_CHUNK))).values()) bytes += size;
  return { media: ids.length, bytes };
}
