import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { MediaRefused } from './media-refused.js';

/** An animated image as its blocks describe it; its pixels were not looked at. */
export interface GifFacts {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
}

/** reference/endpoints.md 16.2. */
const MAX_WIDTH = 1_280;
const MAX_HEIGHT = 1_080;
const MAX_FRAMES = 350;

const IMAGE = 0x2c;
const EXTENSION = 0x21;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;
const HAS_COLOURS = 0x80;

/** The applications whose blocks say how often the animation runs. */
const LOOPING = /^(?:NETSCAPE2\.0|ANIMEXTS1\.0)$/;

const WRITE_BYTES = 64 * 1024;

/**
 * Counts the frames of a GIF, and with `output` copies it there without comments, other applications' blocks and
 * whatever follows its end (GIF89a specification). Throws MediaRefused for what is cut off, no GIF, or beyond the
 * documented size and number of frames. `bytes` is the whole file: 15 MB at most.
 */
export async function readGif(bytes: Buffer, output?: string): Promise<GifFacts> {
  const parts = new Parts(bytes);
  const facts = walk(parts);
  if (output !== undefined) await write(output, parts.kept);
  return facts;
}

function walk(parts: Parts): GifFacts {
  const header = parts.take(13);
  if (!/^GIF8[79]a$/.test(header.toString('latin1', 0, 6)))
    throw new MediaRefused('The file is no GIF image.');
  const [width, height] = [header.readUInt16LE(6), header.readUInt16LE(8)];
  parts.keep(header);
  parts.keep(parts.take(colourBytes(header[10])));
  let frames = 0;
  for (;;) {
    const kind = parts.take(1);
    if (kind[0] === TRAILER) {
      parts.keep(kind);
      return { width, height, frames };
    }
    if (kind[0] === IMAGE) {
      keepImage(parts, kind, { width, height });
      frames += 1;
    } else if (kind[0] === EXTENSION) {
      keepExtension(parts, kind);
    } else {
      throw new MediaRefused('The GIF image is broken.');
    }
  }
}

/** Throws MediaRefused for an animation that is larger or longer than is allowed. */
export function requireAllowedGif({ width, height, frames }: GifFacts): void {
  if (width < 1 || height < 1 || width > MAX_WIDTH || height > MAX_HEIGHT) {
    throw new MediaRefused(`An animated image may have ${MAX_WIDTH} by ${MAX_HEIGHT} pixels at most.`);
  }
  if (frames > MAX_FRAMES) throw new MediaRefused(`An animated image may have ${MAX_FRAMES} frames at most.`);
}

function keepImage(parts: Parts, kind: Buffer, screen: { width: number; height: number }): void {
  const descriptor = parts.take(9);
  const right = descriptor.readUInt16LE(0) + descriptor.readUInt16LE(4);
  const bottom = descriptor.readUInt16LE(2) + descriptor.readUInt16LE(6);
  if (right > screen.width || bottom > screen.height) throw new MediaRefused('The GIF image is broken.');
  parts.keep(kind);
  parts.keep(descriptor);
  parts.keep(parts.take(colourBytes(descriptor[8])));
  parts.keep(parts.take(1));
  parts.keep(parts.takeSubBlocks());
}

function keepExtension(parts: Parts, kind: Buffer): void {
  const label = parts.take(1);
  const blocks = parts.takeSubBlocks();
  const isLoop = label[0] === APPLICATION && LOOPING.test(blocks.toString('latin1', 1, 12));
  if (label[0] !== GRAPHIC_CONTROL && !isLoop) return;
  parts.keep(kind);
  parts.keep(label);
  parts.keep(blocks);
}

/** The length of the colour table that these flags announce. */
function colourBytes(flags = 0): number {
  return (flags & HAS_COLOURS) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

/** Walks over the bytes and remembers what is to be kept. */
class Parts {
  readonly kept: Buffer[] = [];
  #at = 0;

  constructor(private readonly bytes: Buffer) {}

  take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.bytes.length) throw new MediaRefused('The GIF image is cut off.');
    const taken = this.bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  /** Blocks of up to 255 bytes, each after its length, up to an empty one. */
  takeSubBlocks(): Buffer {
    const start = this.#at;
    while (this.take((this.bytes[this.#at] ?? 0) + 1).length > 1);
    return this.bytes.subarray(start, this.#at);
  }

  keep(part: Buffer): void {
    if (part.length > 0) this.kept.push(part);
  }
}

async function write(file: string, parts: readonly Buffer[]): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    let batch: Buffer[] = [];
    let batchBytes = 0;
    for (const part of parts) {
      batch.push(part);
      batchBytes += part.length;
      if (batchBytes < WRITE_BYTES) continue;
      await writeBatch(handle, batch);
      [batch, batchBytes] = [[], 0];
    }
    await writeBatch(handle, batch);
  } finally {
    await handle.close();
  }
}

async function writeBatch(handle: FileHandle, batch: readonly Buffer[]): Promise<void> {
  await handle.writeFile(Buffer.concat(batch));
}
