/**
 * Decodes and encodes pictures, in a process of its own: what a hostile file makes of the decoder's time and memory ends
 * with that process. Plain JavaScript, so that it can be started from the sources and from the build alike.
 *
 * Takes one message at a time, a `PictureOrder` (picture-process.ts), and answers each with a `PictureAnswer`. Ends when
 * its parent does.
 */
import { constants, setPriority } from 'node:os';
import process from 'node:process';
import sharp from 'sharp';

/** @typedef {import('./picture-process.js').PictureOrder} PictureOrder */
/** @typedef {import('./picture-process.js').PictureAnswer} PictureAnswer */

/** Larger photos are scaled down to this. */
const MAX_SIDE = 4_096;

/** What may be held of a picture that cannot be read row by row, as no telephone's photo needs more. */
const MAX_WHOLE_BYTES = 256_000_000;

const TIMEOUT_SECONDS = 20;
const TOO_LARGE = 'The image is broken or too large.';

const PREVIEW_SIDE = 1_280;
const GREY = { r: 34, g: 40, b: 49 };

/** A picture that is refused; the message is safe to show. */
class Refused extends Error {}

sharp.cache(false);
sharp.concurrency(1);
// Only the four decoders that are needed can be reached, whatever a file claims to be.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
});

/**
 * @param {PictureOrder} order
 * @returns {Promise<{ width: number, height: number }>}
 */
function carryOut(order) {
  switch (order.kind) {
    case 'photo':
      return rewritePhoto(order);
    case 'first-frame':
      return writeFirstFrame(order);
    case 'placeholder':
      return writePlaceholder(order);
  }
}

/** @param {Extract<PictureOrder, { kind: 'photo' }>} order */
async function rewritePhoto({ file, format, output, maxPixels }) {
  const image = open(file, maxPixels);
  const facts = await image.metadata();
  if (facts.format !== format) throw new Refused(`The file is no ${format} image.`);
  if (bytesOfWhole(facts) > MAX_WHOLE_BYTES) throw new Refused(TOO_LARGE);
  const upright = image.autoOrient().resize({
    width: MAX_SIDE,
    height: MAX_SIDE,
    fit: 'inside',
    withoutEnlargement: true,
  });
  return encode(upright, format).timeout({ seconds: TIMEOUT_SECONDS }).toFile(output);
}

/** @param {Extract<PictureOrder, { kind: 'first-frame' }>} order */
async function writeFirstFrame({ file, output, maxPixels }) {
  const image = open(file, maxPixels);
  if ((await image.metadata()).format !== 'gif') throw new Refused('The file is no GIF image.');
  return image.png().timeout({ seconds: TIMEOUT_SECONDS }).toFile(output);
}

/** @param {Extract<PictureOrder, { kind: 'placeholder' }>} order */
function writePlaceholder({ width, height, output }) {
  const scale = Math.min(1, PREVIEW_SIDE / Math.max(width, height));
  /** @param {number} length */
  const scaled = (length) => Math.max(1, Math.round(length * scale));
  return sharp({
    create: { width: scaled(width), height: scaled(height), channels: 3, background: GREY },
  })
    .png()
    .toFile(output);
}

/**
 * @param {string} file
 * @param {number} maxPixels
 */
function open(file, maxPixels) {
  return sharp(file, { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true });
}

/**
 * Returns what the decoder must hold of a picture at once, beside a few rows: all of it when its rows do not come in
 * order, as in interlaced PNGs, progressive JPEGs (coefficients of two bytes, of fewer colours when these are
 * subsampled) and WebP.
 *
 * @param {import('sharp').Metadata} facts
 */
function bytesOfWhole({ width, height, format, ...facts }) {
  const pixels = width * height;
  if (format === 'webp') return pixels * 4;
  if (!facts.isProgressive) return 0;
  if (format === 'jpeg') return pixels * 2 * (facts.chromaSubsampling === '4:2:0' ? 1.5 : facts.channels);
  return pixels * facts.channels * (facts.depth === 'ushort' ? 2 : 1);
}

/**
 * @param {import('sharp').Sharp} image
 * @param {import('./picture-sizes.js').PhotoFormat} format
 */
function encode(image, format) {
  if (format === 'jpeg') return image.jpeg({ quality: 90 });
  return format === 'webp' ? image.webp({ quality: 90 }) : image.png();
}

/**
 * @param {PictureOrder} order
 * @returns {Promise<PictureAnswer>}
 */
async function answerTo(order) {
  try {
    const { width, height } = await carryOut(order);
    return { width, height };
  } catch (error) {
    // What the decoder says of a broken picture may name files of this machine: it stays here.
    return { refused: error instanceof Refused ? error.message : TOO_LARGE };
  }
}

// Whoever is served comes before whoever uploads.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
process.on('disconnect', () => process.exit());
process.on('message', (order) => {
  void answerTo(/** @type {PictureOrder} */ (order)).then((answer) => process.send?.(answer));
});
