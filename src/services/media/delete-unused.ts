import type { Clock } from '../../core/clock.js';
import { UPLOAD_LIFE_MS } from '../../core/media.js';
import type { BlobStore } from '../../stores/blobs/blob-store.js';
import type { Engine } from '../../database/engine.js';
import { deleteMedia, deleteOldUploads, listExpiredMedia } from '../../stores/media-uploads.js';

const CHUNK = 100;

/** Processes' clocks may differ: what has expired for one may just have been used by another. */
const GRACE_MS = 60 * 60 * 1000;

/**
 * Removes uploads whose day is over, and media that nothing shows any more: never used, or of a post that was deleted.
 * The files go first, so that a crash in between leaves rows by which the rest is found again.
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
  await engine.tx('forget uploads', (tx) => deleteOldUploads(tx, beforeMs));
  await blobs.deleteDrafts(clock() - UPLOAD_LIFE_MS);
}
