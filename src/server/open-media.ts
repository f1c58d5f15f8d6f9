import { fileBesideDatabase, type Backend, MEDIA_FOLDER } from './backend.js';
import { createImages } from '../services/media/images.js';
import { createTurns } from '../services/media/turns.js';
import { createMediaService, type MediaService } from '../services/media/media.js';
import { createVideos } from '../services/media/video.js';
import type { MediaPlace } from '../stores/blobs/media-place.js';
import { openBlobs } from '../stores/blobs/open-blobs.js';

/**
 * Opens media storage in the configured place, by default a folder beside the database; for a database in memory the
 * files are temporary.
 */
export async function openMedia(
  { engine, ids, clock, queue }: Backend,
  where: {
    readonly database: string;
    readonly dataFolder?: string;
    /** By default beside the database. */
    readonly mediaFolder?: string;
    readonly place?: MediaPlace;
    readonly publicUrl: string;
    readonly quotaBytes: number;
    readonly links: 'served' | 'signed';
  },
): Promise<MediaService> {
  const folder = where.mediaFolder ?? fileBesideDatabase(where.database, MEDIA_FOLDER, where.dataFolder);
  const blobs = await openBlobs(where.place, folder);
  const decoders = { images: createImages(), videos: createVideos(), turns: createTurns() };
  const { publicUrl, quotaBytes } = where;
  const linksToStore = where.links === 'signed';
  return createMediaService({
    engine,
    ids,
    clock,
    queue,
    blobs,
    ...decoders,
    publicUrl,
    quotaBytes,
    linksToStore,
  });
}
