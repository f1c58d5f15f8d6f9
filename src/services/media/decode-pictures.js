/**
 * Decodes and encodes pictures in a separate process, so that a hostile file can exhaust only that process.
 * Plain JavaScript, so that it runs both from the sources and from the build.
 *
 * Handles one message at a time: answers each `PictureTask` (picture-process.ts) with a `PictureAnswer`.
 * Exits with its parent.
 */
import { constants, setPriority } from 'node:os';
import process from 'node:process';
import sharp from 'sharp';

/** @typedef {import('./picture-process.js').PictureTask} PictureTask */
/** @typedef {import('./picture-process.js').PictureAnswer} PictureAnswer */

/** Larger photos are scaled down to this side length. */
const MAX_SIDE = 4_096;

/** Bounds memory for pictures that cannot be decoded row by row; photos from phones need less. */
const MAX_WHOLE_BYTES = 256_000_000;

const TIMEOUT_SECONDS = 20;
const TOO_LARGE = 'The image is broken or too large.';

const PREVIEW_SIDE = 1_280;
const GREY = { r: 34, g: 40, b: 49 };
const WHITE = { r: 255, g: 255, b: 255 };

/** A picture that is refused; the message is safe to show to clients. */
class Refused extends Error {}

sharp.cache(false);
sharp.concurrency(1);
// Blocks all decoders but the four needed, whatever a file claims to be.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
});

/**
 * @param {PictureTask} order
 * @returns {Promise<import('./picture-sizes.js').WrittenPicture>}
 */
function execute(order) {
  switch (order.kind) {
    case 'photo':
      return rewritePhoto(order);
    case 'sizes':
      return writeSizes(order);
    case 'first-frame':
      return writeFirstFrame(order);
    case 'placeholder':
      return writePlaceholder(order);
  }
}

/** @param {Extract<PictureTask, { kind: 'photo' }>} order */
async function rewritePhoto({ file, format, output, maxPixels }) {
  const { image } = await openPhoto(file, format, maxPixels);
  const upright = image.autoOrient().resize({
    width: MAX_SIDE,
    height: MAX_SIDE,
    fit: 'inside',
    withoutEnlargement: true,
  });
  return encode(upright, format).timeout({ seconds: TIMEOUT_SECONDS }).toFile(output);
}

/** @param {Extract<PictureTask, { kind: 'sizes' }>} order */
async function writeSizes({ file, format, part, main, others, keepsTransparency, maxPixels }) {
  const { image, facts } = await openPhoto(file, format, maxPixels);
  const cut = part ? overlapOf(part, facts.autoOrient) : { left: 0, top: 0, ...facts.autoOrient };
  const scale = main.enlarges ? 1 : Math.min(1, cut.width / main.width, cut.height / main.height);
  const size = { width: scaled(main.width, scale), height: scaled(main.height, scale) };
  const { data, info } = await image
    .autoOrient()
    .extract(cut)
    .resize({ ...size, fit: 'cover' })
    .toColourspace('srgb')
    .raw()
    .timeout({ seconds: TIMEOUT_SECONDS })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  /** @type {'jpeg' | 'png'} */
  const written = keepsTransparency && isTransparent(data, channels) ? 'png' : 'jpeg';
  for (const { output, ...frame } of [{ ...size, output: main.output }, ...others]) {
    const copy = sharp(data, { raw: { width, height, channels } }).resize({ ...frame, fit: 'cover' });
    await encode(written === 'png' ? copy : copy.flatten({ background: WHITE }), written).toFile(output);
  }
  return { width, height, written };
}

/**
 * Returns the part of a rectangle that is within a picture of this size. Throws if there is none.
 *
 * @param {import('./picture-sizes.js').Rectangle} part
 * @param {import('./picture-sizes.js').Size} whole
 */
function overlapOf({ left, top, width, height }, whole) {
  const [right, bottom] = [Math.min(left + width, whole.width), Math.min(top + height, whole.height)];
  if (left >= right || top >= bottom) throw new Refused('The chosen part lies outside of the picture.');
  return { left, top, width: right - left, height: bottom - top };
}

/**
 * Reports whether any pixel lets the background through. The last of two or four channels is the opacity.
 *
 * @param {Buffer} data
 * @param {number} channels
 */
function isTransparent(data, channels) {
  if (channels % 2 === 1) return false;
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] !== 255) return true;
  return false;
}

/**
 * @param {number} length
 * @param {number} scale
 */
function scaled(length, scale) {
  return Math.max(1, Math.round(length * scale));
}

/** @param {Extract<PictureTask, { kind: 'first-frame' }>} order */
async function writeFirstFrame({ file, output, maxPixels }) {
  const image = open(file, maxPixels);
  if ((await image.metadata()).format !== 'gif') throw new Refused('The file is not a GIF image.');
  return image.png().timeout({ seconds: TIMEOUT_SECONDS }).toFile(output);
}

/** @param {Extract<PictureTask, { kind: 'placeholder' }>} order */
function writePlaceholder({ width, height, output }) {
  const scale = Math.min(1, PREVIEW_SIDE / Math.max(width, height));
  return sharp({
    create: { width: scaled(width, scale), height: scaled(height, scale), channels: 3, background: GREY },
  })
    .png()
    .toFile(output);
}

/**
 * Opens a photo of this format whose decoding takes limited memory.
 *
 * @param {string} file
 * @param {import('./picture-sizes.js').PhotoFormat} format
 * @param {number} maxPixels
 */
async function openPhoto(file, format, maxPixels) {
  const image = open(file, maxPixels);
  const facts = await image.metadata();
  if (facts.format !== format) throw new Refused(`The file is not a ${format} image.`);
  if (bytesOfWhole(facts) > MAX_WHOLE_BYTES) throw new Refused(TOO_LARGE);
  return { image, facts };
}

/**
 * @param {string} file
 * @param {number} maxPixels
 */
function open(file, maxPixels) {
  return sharp(file, { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true });
}

/**
 * Returns the number of bytes the decoder must hold at once, apart from a few rows: the whole picture when
 * rows do not come in order, as in interlaced PNG, progressive JPEG (two-byte coefficients; fewer when
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
 * @param {PictureTask} order
 * @returns {Promise<PictureAnswer>}
 */
async function answerTo(order) {
  try {
    const { width, height, written } = await execute(order);
    return { width, height, written };
  } catch (error) {
    // The decoder's error may contain file names of this machine, so it is not reported.
    return { refused: error instanceof Refused ? error.message : TOO_LARGE };
  }
}

// Serving requests has priority over decoding uploads.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
process.on('disconnect', () => process.exit());
process.on('message', (order) => {
  void answerTo(/** @type {PictureTask} */ (order)).then((answer) => process.send?.(answer));
});
