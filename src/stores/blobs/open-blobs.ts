import type { BlobStore } from './blob-store.js';
import { createDiskBlobs } from './disk-blobs.js';
import type { MediaPlace } from './media-place.js';

/**
 * Opens the store of a place; by default the folder `folder`, or a temporary one for undefined. Drafts for an object
 * store are in `folder`. Loads what object stores need only for them, which takes longer than the rest of a start.
 */
export async function openBlobs(
  place: MediaPlace | undefined,
  folder: string | undefined,
): Promise<BlobStore> {
  if (place?.kind !== 's3') return createDiskBlobs(place?.folder ?? folder);
  const { createS3Blobs } = await import('./s3/s3-blobs.js');
  return createS3Blobs(place, folder);
}
