import { readFile } from 'node:fs/promises';
import { MAX_PIXELS, type PhotoFormat, type Size, type WrittenPicture } from './picture-sizes.js';
import { requireAllowedPicture } from './picture-header.js';
import { createPicturePool } from './picture-pool.js';
import type { PictureTask } from './picture-process.js';

/** Decodes and encodes pictures in a small pool of processes. */
export type Images = ReturnType<typeof createImages>;

/** What `writeSizes` is to write. */
type SizesOrder = Omit<Extract<PictureTask, { readonly kind: 'sizes' }>, 'kind' | 'maxPixels'>;

/** Starts no decoder before the first picture. Files are at most a few megabytes. */
export function createImages() {
  const pool = createPicturePool();
  return {
    /**
     * Re-encodes a photo upright in its own format (GIF as PNG), at most 4096 pixels per side, without metadata. Throws
     * MediaRefused for a file that is broken, too large or of another format.
     */
    rewritePhoto: async (file: string, format: PhotoFormat, output: string) => {
      requireAllowedPicture(await readFile(file), format);
      return pool.run({ kind: 'photo', file, format, output, maxPixels: MAX_PIXELS });
    },
    /**
     * Writes a part of a photo, upright and without metadata, in several sizes. Throws as `rewritePhoto` does, and
     * MediaRefused for a part outside of the photo.
     */
    writeSizes: async (order: SizesOrder): Promise<WrittenPicture> => {
      requireAllowedPicture(await readFile(order.file), order.format);
      return pool.run({ kind: 'sizes', ...order, maxPixels: MAX_PIXELS });
    },
    /** Writes the first frame of an animated GIF as a PNG; throws as `rewritePhoto` does. */
    writeFirstFrame: async (file: string, output: string) => {
      await pool.run({ kind: 'first-frame', file, output, maxPixels: MAX_PIXELS });
    },
    /** Writes a plain grey PNG of this size: the preview of a video, since video frames are not decoded here. */
    writePlaceholder: async ({ width, height }: Size, output: string) => {
      await pool.run({ kind: 'placeholder', width, height, output });
    },
    /** Ends the decoder processes. */
    close: () => pool.close(),
  };
}
