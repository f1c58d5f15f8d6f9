import type { Clock } from '../../core/clock.js';
import { UPLOAD_LIFE_MS } from '../../core/media.js';
import type { BlobStore } from '../../stores/blobs/blob-store.js';
import type { Engine } from '../../database/engine.js';
import { deleteMedia, deleteOldUploads, listExpiredMedia } from '../../stores/media-uploads.js';

const CHUNK = 100;

/** Tolerates clock differences between processes: media expired for one may just have been used by another. */
const GRACE_MS = 60 * 60 * 1000;

/**
 * Deletes expired uploads and media that no post or message uses. Files are deleted first, so that after a crash the
 * rows still lead to the remaining files.
 */
export async function deleteUnused(
  { engine, blobs, clock }: { readonly engine: Engine; readonly blobs: BlobStore; readonly clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  const beforeMs = clock() - GRACE_MS;
  let found = CHUNK;
  while (found === CHUNK) {
    signal.throwIfAborted();
    const ids = await listExpiredMedia(engine, beforeMs, CHUNK);
    for (const id of ids) await blobs.deleteFolder(String(id));
    await engine.tx('delete unused media', (tx) => deleteMedia(tx, ids));
    found = ids.length;
  }
  await engine.tx('delete expired uploads', (tx) => deleteOldUploads(tx, beforeMs));
  await blobs.deleteDrafts(clock() - UPLOAD_LIFE_MS);
}
