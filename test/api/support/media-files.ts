import sharp from 'sharp';

/** Valid and hostile media files, generated. */

export function png(width = 6, height = 4): Promise<Buffer> {
  return sharp(noise(width, height), { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

/** Returns a photo as made by phones: rotated by metadata and with its location. */
export function jpegWithLocation(width = 6, height = 4): Promise<Buffer> {
  return sharp(noise(width, height), { raw: { width, height, channels: 3 } })
    .withExif({
      IFD0: { Make: 'Telephone of alice' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100', GPSLongitudeRef: 'W' },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

/** Returns an animated GIF with a comment and with one colour per frame. */
export function gif(options: { frames?: number; width?: number; height?: number } = {}): Buffer {
  const { frames = 3, width = 8, height = 6 } = options;
  const screen = Buffer.from([0, 0, 0, 0, 0x80, 0, 0]);
  screen.writeUInt16LE(width, 0);
  screen.writeUInt16LE(height, 2);
  const colours = Buffer.from([255, 0, 0, 0, 0, 255]);
  const comment = Buffer.from([0x21, 0xfe, 6, ...Buffer.from('secret'), 0]);
  const loop = Buffer.from([0x21, 0xff, 11, ...Buffer.from('NETSCAPE2.0'), 3, 1, 0, 0, 0]);
  const xmp = Buffer.from([0x21, 0xff, 11, ...Buffer.from('XMP DataXMP'), 4, ...Buffer.from('home'), 0]);
  const frame = gifFrame(width, height);
  const all = Array.from({ length: frames }, () => frame);
  return Buffer.concat([
    Buffer.from('GIF89a'),
    screen,
    colours,
    comment,
    loop,
    xmp,
    ...all,
    Buffer.from([0x3b]),
  ]);
}

/** Encodes one colour with one code per pixel: a clear code before each pixel keeps codes at 3 bits. */
function gifFrame(width: number, height: number): Buffer {
  const control = Buffer.from([0x21, 0xf9, 4, 0, 10, 0, 0, 0]);
  const descriptor = Buffer.alloc(10);
  descriptor[0] = 0x2c;
  descriptor.writeUInt16LE(width, 5);
  descriptor.writeUInt16LE(height, 7);
  const codes: number[] = [];
  for (let pixel = 0; pixel < Math.min(width * height, 4096); pixel += 1) codes.push(4, 1);
  codes.push(5);
  const bytes: number[] = [];
  codes.forEach((code, at) => {
    for (let bit = 0; bit < 3; bit += 1) {
      const position = at * 3 + bit;
      const byte = position >> 3;
      bytes[byte] = (bytes[byte] ?? 0) | (((code >> bit) & 1) << (position & 7));
    }
  });
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const block = bytes.slice(at, at + 255);
    blocks.push(Buffer.from([block.length, ...block]));
  }
  return Buffer.concat([control, descriptor, Buffer.from([2]), ...blocks, Buffer.from([0])]);
}

export function box(type: string, ...parts: readonly (Buffer | readonly number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

const u16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
};
export const u32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => bytes.writeUInt32BE(value, at * 4));
  return bytes;
};
const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

export interface Mp4Options {
  readonly durationMs?: number;
  readonly width?: number;
  readonly height?: number;
  /** The sample count in the sample table, by default one. */
  readonly sampleCount?: number;
  /** Boxes added to `moov`. */
  readonly extra?: readonly Buffer[];
  readonly brand?: string;
  readonly dataBytes?: number;
}

/** Returns a video with valid boxes and without real pictures. */
export function mp4(options: Mp4Options = {}): Buffer {
  const { durationMs = 2_000, width = 64, height = 36, extra = [], brand = 'isom', dataBytes = 40 } = options;
  const head = box(
    'ftyp',
    Buffer.from(brand),
    u32(512),
    Buffer.from(brand),
    Buffer.from(brand === 'isom' ? 'mp42' : brand),
  );
  const location = box('udta', box('\xa9xyz', u16(18), u16(0x15c7), Buffer.from('+51.5090-000.1337/')));
  const moov = box(
    'moov',
    box(
      'mvhd',
      u32(0, 0, 0, 1000, durationMs, 0x10000),
      u16(0x100),
      Buffer.alloc(10),
      MATRIX,
      Buffer.alloc(24),
      u32(2),
    ),
    videoTrack({ durationMs, width, height, sampleCount: options.sampleCount }),
    location,
    ...extra,
  );
  return Buffer.concat([head, moov, box('mdat', Buffer.alloc(dataBytes, 7))]);
}

function videoTrack(track: {
  readonly durationMs: number;
  readonly width: number;
  readonly height: number;
  readonly sampleCount?: number;
}): Buffer {
  const { durationMs, width, height, sampleCount } = track;
  const entry = box(
    'avc1',
    Buffer.alloc(6),
    u16(1),
    Buffer.alloc(16),
    u16(width),
    u16(height),
    u32(0x480000, 0x480000, 0),
    u16(1),
    Buffer.alloc(32),
    u16(24),
    u16(0xffff),
    box('avcC', [1, 0x42, 0, 0x1e, 0xff, 0xe0, 0]),
  );
  const table = box(
    'stbl',
    box('stsd', u32(0, 1), entry),
    box('stts', u32(0, 1, 1, durationMs)),
    box('stsc', u32(0, 1, 1, 1, 1)),
    sampleCount === undefined ? box('stsz', u32(0, 0, 1, 40)) : box('stsz', u32(0, 1, sampleCount)),
    box('stco', u32(0, 1, 1000)),
  );
  return box(
    'trak',
    box('tkhd', u32(3, 0, 0, 1, 0, durationMs, 0, 0, 0, 0), MATRIX, u32(width * 65536, height * 65536)),
    box(
      'mdia',
      box('mdhd', u32(0, 0, 0, 1000, durationMs), u16(0x55c4), u16(0)),
      box('hdlr', u32(0, 0), Buffer.from('vide'), Buffer.alloc(13)),
      box('minf', box('vmhd', u32(1, 0, 0)), box('dinf', box('dref', u32(0, 1), box('url ', u32(1)))), table),
    ),
  );
}

/** Returns deterministic noise. */
function noise(width: number, height: number): Buffer {
  return Buffer.from(Array.from({ length: width * height * 3 }, (_, at) => (at * 7919) % 251));
}

/** Returns a fragmented video as written by recorders: its header has neither fragments nor duration. */
export function fragmentedMp4(fragments = 3): Buffer {
  const whole = mp4({
    durationMs: 0,
    extra: [box('mvex', box('trex', u32(0, 1, 1, 1_000, 40, 0)))],
    sampleCount: 0,
  });
  const parts = Array.from({ length: fragments }, (_, at) => [
    box(
      'moof',
      box('mfhd', u32(0, at + 1)),
      box('traf', box('tfhd', u32(0x20000, 1)), box('tfdt', u32(0, at * 1_000)), box('trun', u32(0, 1))),
    ),
    box('mdat', Buffer.alloc(40, at)),
  ]);
  return Buffer.concat([whole, ...parts.flat()]);
}
