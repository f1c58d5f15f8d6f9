import { readFile } from 'node:fs/promises';
import { MAX_PIXELS, type PhotoFormat, type Size } from './picture-sizes.js';
import { requireAllowedPicture } from './picture-header.js';
import { createPicturePool, type PicturePool } from './picture-pool.js';

/** Decodes and encodes pictures in processes of their own, a few at a time. */
export interface Images {
  /**
   * Writes the photo anew, upright, in its own format (a GIF as PNG), with 4096 pixels on a side at most, and without
   * anything that is not its pixels. Throws MediaRefused for what is broken, too large, or of another format than said.
   */
  rewritePhoto(file: string, format: PhotoFormat, output: string): Promise<Size>;
  /** Writes the first frame of an animated GIF as a PNG; throws as `rewritePhoto`. */
  writeFirstFrame(file: string, output: string): Promise<void>;
  /** Writes a plain grey PNG of this shape: what is shown for a video, whose frames nothing here can decode. */
  writePlaceholder(size: Size, output: string): Promise<void>;
  /** Ends the decoders. */
  close(): void;
}

/** Starts no decoder before the first picture. Files are some megabytes at most. */
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
