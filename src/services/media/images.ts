import { readFile } from 'node:fs/promises';
import { MAX_PIXELS, type PhotoFormat, type Size } from './picture-sizes.js';
import { requireAllowedPicture } from './picture-header.js';
import { createPicturePool, type PicturePool } from './picture-pool.js';

/** Decodes and encodes pictures in a small pool of processes. */
export interface Images {
  /**
   * Re-encodes a photo upright in its own format (GIF as PNG), at most 4096 pixels per side, without metadata. Throws
   * MediaRefused for a file that is broken, too large or of another format.
   */
  rewritePhoto(file: string, format: PhotoFormat, output: string): Promise<Size>;
  /** Writes the first frame of an animated GIF as a PNG; throws as `rewritePhoto` does. */
  writeFirstFrame(file: string, output: string): Promise<void>;
  /** Writes a plain grey PNG of this size: the preview of a video, since video frames are not decoded here. */
  writePlaceholder(size: Size, output: string): Promise<void>;
  /** Ends the decoder processes. */
  close(): void;
}

/** Starts no decoder before the first picture. Files are at most a few megabytes. */
export function createImages(pool: PicturePool = createPicturePool()): Images {
  return {
    rewritePhoto: async (file, format, output) => {
      requireAllowedPicture(await readFile(file), format);
      return pool.run({ kind: 'photo', file, format, output, maxPixels: MAX_PIXELS });
    },
    writeFirstFrame: async (file, output) => {
      await pool.run({ kind: 'first-frame', file, output, maxPixels: MAX_PIXELS });
    },
    writePlaceholder: async ({ width, height }, output) => {
      await pool.run({ kind: 'placeholder', width, height, output });
    },
    close: () => pool.close(),
  };
}
