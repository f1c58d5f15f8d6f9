import { readGif } from './gif.js';
import { MAX_PIXELS, type PhotoFormat, type Size } from './picture-sizes.js';
import { MediaRefused } from './media-refused.js';

/** A row of this width takes up to 128 KB; decoders hold several rows. */
const MAX_SIDE = 16_384;

/**
 * Checks a picture's size before decoding. Every size declared in the headers, of the picture and of its parts, must
 * be within the limits. Throws MediaRefused, also when there is no valid header.
 */
export function requireAllowedPicture(bytes: Buffer, format: PhotoFormat): void {
  const sizes = readSizes(bytes, format);
  if (sizes.length === 0) throw new MediaRefused('The image is broken or too large.');
  for (const { width, height } of sizes) {
    const isAllowed = width >= 1 && height >= 1 && width <= MAX_SIDE && height <= MAX_SIDE;
    if (!isAllowed || width * height > MAX_PIXELS) {
      throw new MediaRefused(
        `An image may have at most ${MAX_SIDE} pixels per side and ${MAX_PIXELS} pixels in total.`,
      );
    }
  }
}

function readSizes(bytes: Buffer, format: PhotoFormat): Size[] {
  try {
    return READERS[format](bytes);
  } catch (error) {
    // The header is truncated.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

const READERS: Readonly<Record<PhotoFormat, (bytes: Buffer) => Size[]>> = {
  png: pngSizes,
  jpeg: jpegSizes,
  gif: (bytes) => [readGif(bytes)],
  webp: (bytes) => webpSizes(bytes, 12, bytes.length),
};

const PNG_SIGNATURE_BYTES = 8;

/** Returns the sizes of the picture and of its animation frames (PNG specification, sections 5.3 and 11). */
function pngSizes(bytes: Buffer): Size[] {
  const sizes: Size[] = [];
  let at = PNG_SIGNATURE_BYTES;
  while (at + 8 <= bytes.length) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    // The chunk of an animation frame starts with its sequence number.
    const size = type === 'IHDR' ? at + 8 : type === 'fcTL' ? at + 12 : undefined;
    if (size === undefined && sizes.length === 0) return [];
    if (size !== undefined)
      sizes.push({ width: bytes.readUInt32BE(size), height: bytes.readUInt32BE(size + 4) });
    at += 12 + bytes.readUInt32BE(at);
  }
  return sizes;
}

const MARKER = 0xff;
const START_OF_SCAN = 0xda;
const START_OF_IMAGE_BYTES = 2;

/** Returns the sizes of the frames before the first scan (ITU-T T.81, annex B). */
function jpegSizes(bytes: Buffer): Size[] {
  const sizes: Size[] = [];
  let at = START_OF_IMAGE_BYTES;
  while (at < bytes.length) {
    // Decoders skip to the next marker, past any data and fill bytes before it.
    at = bytes.indexOf(MARKER, at);
    if (at < 0) break;
    while (bytes[at] === MARKER) at += 1;
    const code = bytes[at] ?? 0;
    at += 1;
    if (code === START_OF_SCAN) break;
    if (hasNoSegment(code)) continue;
    if (isFrame(code)) sizes.push({ width: bytes.readUInt16BE(at + 5), height: bytes.readUInt16BE(at + 3) });
    at += Math.max(2, bytes.readUInt16BE(at));
  }
  return sizes;
}

/** Reports whether a marker has no segment. */
function hasNoSegment(code: number): boolean {
  return code === 0 || code === 1 || (code >= 0xd0 && code <= 0xd9);
}

/** Reports whether a marker is one of SOF0 to SOF15; three codes in that range have other meanings. */
function isFrame(code: number): boolean {
  return code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc;
}

/**
 * Returns the sizes of the canvas, its frames and the bitmaps in them (WebP container specification; RFC 6386,
 * section 9.1).
 */
function webpSizes(bytes: Buffer, start: number, end: number): Size[] {
  const sizes: Size[] = [];
  let at = start;
  while (at + 8 <= end) {
    const [type, length] = [bytes.toString('latin1', at, at + 4), bytes.readUInt32LE(at + 4)];
    const data = at + 8;
    if (type === 'VP8X') sizes.push(canvasAt(bytes, data + 4));
    if (type === 'VP8L') sizes.push(losslessAt(bytes, data + 1));
    if (type === 'VP8 ') {
      sizes.push({
        width: bytes.readUInt16LE(data + 6) & 0x3fff,
        height: bytes.readUInt16LE(data + 8) & 0x3fff,
      });
    }
    at = data + length + (length % 2);
    if (type !== 'ANMF') continue;
    sizes.push(canvasAt(bytes, data + 6));
    // Continues with the chunks inside the frame.
    at = data + 16;
  }
  return sizes;
}

function canvasAt(bytes: Buffer, at: number): Size {
  return { width: bytes.readUIntLE(at, 3) + 1, height: bytes.readUIntLE(at + 3, 3) + 1 };
}

function losslessAt(bytes: Buffer, at: number): Size {
  const bits = bytes.readUInt32LE(at);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
