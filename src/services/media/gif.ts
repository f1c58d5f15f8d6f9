import { writeFile } from 'node:fs/promises';
import { MediaRefused } from './media-refused.js';

/** An animated image as described by its blocks; pixels are not decoded. */
export interface Gif {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** The byte ranges that belong to the animation. */
  readonly kept: readonly Span[];
}

/** A byte range; `end` is exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** The documented limits (docs/api/media.md#uploads). */
const MAX_WIDTH = 1_280;
const MAX_HEIGHT = 1_080;
const MAX_FRAMES = 350;
/** The total over all frames, because viewers draw every frame. */
const MAX_PIXELS = 300_000_000;

const HEADER_BYTES = 13;
const IMAGE = 0x2c;
const EXTENSION = 0x21;
const TRAILER = 0x3b;
const PLAIN_TEXT = 0x01;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;
const HAS_COLOURS = 0x80;

/** The size of a graphic control extension: introducer, label, one block of four bytes, terminator. */
const GRAPHIC_CONTROL_BYTES = 8;

/** The loop count extension of these two applications, and nothing else. */
const LOOP = /^!\xff\x0b(?:NETSCAPE2\.0|ANIMEXTS1\.0)\x03\x01[^]{2}\0$/;
const LOOP_BYTES = 19;

/**
 * Parses the blocks of a GIF (GIF89a specification) up to its trailer. Drops comments, unknown application blocks and
 * trailing data. Throws MediaRefused for a truncated file, another format or too many frames.
 * `bytes` is the whole file, at most 15 MB; it may contain millions of blocks, so dropped blocks allocate nothing.
 */
export function readGif(bytes: Buffer): Gif {
  const walk = new Walk(bytes);
  const header = walk.skip(HEADER_BYTES);
  if (!/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6)))
    throw new MediaRefused('The file is not a GIF image.');
  const [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
  const colours = walk.skip(colourBytes(bytes[10]));
  const kept: Span[] = [{ start: header.start, end: colours.end }];
  let [frames, hasLoop] = [0, false];
  let control: Span | undefined;
  for (;;) {
    const block = walk.next({ width, height });
    if (block.kind === TRAILER) {
      kept.push(block);
      return { width, height, frames, kept };
    }
    if (block.kind === IMAGE) {
      frames += 1;
      if (frames > MAX_FRAMES) throw tooLong();
      kept.push(...(control ? [control] : []), block);
      control = undefined;
    } else if (block.label === GRAPHIC_CONTROL) {
      control = block.end - block.start === GRAPHIC_CONTROL_BYTES ? block : undefined;
    } else if (block.label === PLAIN_TEXT) {
      // The preceding graphic control extension applies to this text, not to the next image.
      control = undefined;
    } else if (!hasLoop && isLoop(bytes, block)) {
      hasLoop = true;
      kept.push(block);
    }
  }
}

/** Copies the animation's byte ranges to `output`. */
export async function writeGif(bytes: Buffer, { kept }: Gif, output: string): Promise<void> {
  await writeFile(
    output,
    kept.map(({ start, end }) => bytes.subarray(start, end)),
  );
}

/** Throws MediaRefused for an animation above the limits. */
export function requireAllowedGif({ width, height, frames }: Gif): void {
  if (width < 1 || height < 1 || width > MAX_WIDTH || height > MAX_HEIGHT) {
    throw new MediaRefused(`An animated image may have at most ${MAX_WIDTH} by ${MAX_HEIGHT} pixels.`);
  }
  if (width * height * frames > MAX_PIXELS) {
    throw new MediaRefused(`The frames of an animated image may have at most ${MAX_PIXELS} pixels in total.`);
  }
}

function tooLong(): MediaRefused {
  return new MediaRefused(`An animated image may have at most ${MAX_FRAMES} frames.`);
}

/** Returns the length of the colour table that the flags declare. */
function colourBytes(flags = 0): number {
  return (flags & HAS_COLOURS) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function isLoop(bytes: Buffer, { label, start, end }: Block): boolean {
  return (
    label === APPLICATION && end - start === LOOP_BYTES && LOOP.test(bytes.toString('latin1', start, end))
  );
}

interface Block extends Span {
  readonly kind: number;
  /** The label of an extension block. */
  readonly label?: number;
}

/** Iterates over the blocks. */
class Walk {
  #at = 0;

  constructor(private readonly bytes: Buffer) {}

  skip(length: number): Span {
    const [start, end] = [this.#at, this.#at + length];
    if (end > this.bytes.length) throw new MediaRefused('The GIF image is truncated.');
    this.#at = end;
    return { start, end };
  }

  next(screen: { readonly width: number; readonly height: number }): Block {
    const { start } = this.skip(1);
    const kind = this.bytes[start] ?? TRAILER;
    let label: number | undefined;
    if (kind === IMAGE) this.skipImage(screen);
    else if (kind === EXTENSION) label = this.skipExtension();
    else if (kind !== TRAILER) throw new MediaRefused('The GIF image is broken.');
    return { kind, label, start, end: this.#at };
  }

  private skipImage(screen: { readonly width: number; readonly height: number }): void {
    const { start } = this.skip(9);
    const right = this.bytes.readUInt16LE(start) + this.bytes.readUInt16LE(start + 4);
    const bottom = this.bytes.readUInt16LE(start + 2) + this.bytes.readUInt16LE(start + 6);
    if (right > screen.width || bottom > screen.height) throw new MediaRefused('The GIF image is broken.');
    this.skip(colourBytes(this.bytes[start + 8]) + 1);
    this.skipSubBlocks();
  }

  private skipExtension(): number | undefined {
    const { start } = this.skip(1);
    this.skipSubBlocks();
    return this.bytes[start];
  }

  /** Skips blocks of up to 255 bytes, each prefixed by its length, until an empty one. */
  private skipSubBlocks(): void {
    const { bytes } = this;
    let at = this.#at;
    for (let length = bytes[at]; length !== undefined; length = bytes[at]) {
      at += length + 1;
      if (length > 0) continue;
      this.#at = at;
      return;
    }
    throw new MediaRefused('The GIF image is truncated.');
  }
}
