import type { Backend } from '../server/backend.js';
import { readDatabase, readOne } from '../server/config.js';
import type { BlobStore } from '../stores/blobs/blob-store.js';
import type { CommandIo, CommonOptions } from './command.js';

/**
 * Opens the store of media files of the selected database for `work` and closes it. Throws SharingRefused if servers use
 * another one.
 */
export async function withMediaStore<T>(
  io: CommandIo,
  options: CommonOptions & { readonly media?: string },
  { engine }: Pick<Backend, 'engine'>,
  work: (blobs: BlobStore) => Promise<T>,
): Promise<T> {
  const { fileBesideDatabase, MEDIA_FOLDER } = await import('../server/backend.js');
  const { openBlobs } = await import('../stores/blobs/open-blobs.js');
  const { requireSharedMedia } = await import('../server/join-servers.js');
  const folder = fileBesideDatabase(readDatabase(options.database, io.env), MEDIA_FOLDER);
  const blobs = await openBlobs(readOne('media', options.media, io.env), folder);
  try {
    await requireSharedMedia(engine, blobs);
    return await work(blobs);
  } finally {
    await blobs.close();
  }
}
