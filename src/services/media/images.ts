import type { Metadata, Sharp } from 'sharp';
import { createAtMost } from './at-most.js';
import { MediaRefused } from './media-refused.js';

/** What a photo may be, by the name that its decoder has for it. */
export type PhotoFormat = 'jpeg' | 'png' | 'webp' | 'gif';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Photos of telephones have up to 50 million pixels. */
const MAX_PIXELS = 64_000_000;

/** Larger photos are scaled down to this: turning one of 64 million pixels round would take 600 MB, so it takes 160. */
const MAX_SIDE = 4_096;
const TIMEOUT_SECONDS = 20;

const AT_ONCE = 2;

/** What one decoder may hold of a picture that cannot be read row by row, as no telephone's photo needs more. */
const MAX_WHOLE_BYTES = 256_000_000;

const TOO_LARGE = 'The image is broken or too large.';

const PREVIEW_SIDE = 1_280;
const GREY = { r: 34, g: 40, b: 49 };

/** Decodes and encodes pictures on threads of its own, a few at a time. */
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
}

/** The decoder is loaded with the first picture: a server that gets none starts without it. */
export function createImages(): Images {
  let loading: ReturnType<typeof loadSharp> | undefined;
  const atMost = createAtMost(AT_ONCE);
  const oneWhole = createAtMost(1);
  const open = async (file: string): Promise<Sharp> => {
    const sharp = await (loading ??= loadSharp());
    return sharp(file, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true });
  };
  return {
    rewritePhoto: (file, format, output) =>
      atMost(() =>
        refusing(async () => {
          const image = await open(file);
          const facts = await image.metadata();
          if (facts.format !== format) throw new MediaRefused(`The file is no ${format} image.`);
          const wholeBytes = bytesOfWhole(facts);
          if (wholeBytes > MAX_WHOLE_BYTES) throw new MediaRefused(TOO_LARGE);
          const fitting = {
            width: MAX_SIDE,
            height: MAX_SIDE,
            fit: 'inside',
            withoutEnlargement: true,
          } as const;
          const write = () =>
            encode(image.autoOrient().resize(fitting), format)
              .timeout({ seconds: TIMEOUT_SECONDS })
              .toFile(output);
          const { width, height } = await (wholeBytes === 0 ? write() : oneWhole(write));
          return { width, height };
        }),
      ),
    writeFirstFrame: (file, output) =>
      atMost(() =>
        refusing(async () => {
          const image = await open(file);
          if ((await image.metadata()).format !== 'gif') throw new MediaRefused('The file is no GIF image.');
          await image.png().timeout({ seconds: TIMEOUT_SECONDS }).toFile(output);
        }),
      ),
    writePlaceholder: async (size, output) => {
      const sharp = await (loading ??= loadSharp());
      const scale = Math.min(1, PREVIEW_SIDE / Math.max(size.width, size.height));
      const [width, height] = [size.width, size.height].map((side) => Math.max(1, Math.round(side * scale)));
      await sharp({ create: { width: width ?? 1, height: height ?? 1, channels: 3, background: GREY } })
        .png()
        .toFile(output);
    },
  };
}

/** Only the four decoders that are needed can be reached, whatever a file claims to be. */
async function loadSharp() {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
  });
  return sharp;
}

/**
 * What the decoder must hold of a picture at once, beside a few rows: all of it when its rows do not come in order, as in
 * interlaced PNGs, progressive JPEGs (coefficients of two bytes, of fewer colours when these are subsampled) and WebP.
 */
function bytesOfWhole({ width, height, format, ...facts }: Metadata): number {
  const pixels = width * height;
  if (format === 'webp') return pixels * 4;
  if (!facts.isProgressive) return 0;
  if (format === 'jpeg') return pixels * 2 * (facts.chromaSubsampling === '4:2:0' ? 1.5 : facts.channels);
  return pixels * facts.channels * (facts.depth === 'ushort' ? 2 : 1);
}

function encode(image: Sharp, format: PhotoFormat): Sharp {
  if (format === 'jpeg') return image.jpeg({ quality: 90 });
  return format === 'webp' ? image.webp({ quality: 90 }) : image.png();
}

/** What the decoder says of a broken picture may name files of this machine: it stays out of the message. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MediaRefused) throw error;
    throw new MediaRefused(TOO_LARGE, { cause: error });
  }
}
