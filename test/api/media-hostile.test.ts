import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { POSTS } from '../support/world.js';
import { box, fragmentedMp4, gif, jpegWithLocation, mp4, png, u32 } from './support/media-files.js';
import { openUploads, type Uploads } from './support/uploads.js';

/** Hostile media are rejected or made harmless within bounded memory and time, and the server keeps serving. */

let app: Uploads;
beforeAll(async () => {
  app = await openUploads();
  // Loads the decoder first, so that the measurements below cover the file alone.
  await app.uploaded(await png());
});
afterAll(() => app.close());

async function refusal(media: Buffer, category?: string) {
  const { status, body } = await app.v1({ ...(category && { media_category: category }), media });
  return [status, body.errors?.[0]?.code];
}
const REFUSED = [400, 324];

/** Returns a PNG chunk with a correct checksum. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([u32(data.length), body, u32(crc32(body))]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

/** Returns a blank black-and-white image of a few kilobytes, whatever its size. */
function blankPng(side: number, ...extra: readonly Buffer[]): Buffer {
  const header = Buffer.concat([u32(side, side), Buffer.from([1, 0, 0, 0, 0])]);
  const rows = deflateSync(Buffer.alloc((Math.ceil(side / 8) + 1) * side));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    ...extra,
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Returns two rows of 16-bit colours, all transparent black. */
function longPng(width: number): Buffer {
  const header = Buffer.concat([u32(width, 2), Buffer.from([16, 6, 0, 0, 0])]);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', zeroes(2 * (1 + width * 8))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function animatedWebp(): Promise<Buffer> {
  const frames = Buffer.from(Array.from({ length: 16 * 64 * 3 }, (_, at) => (at * 7919) % 251));
  return sharp(frames, { raw: { width: 16, height: 64, channels: 3, pageHeight: 16 } })
    .webp()
    .toBuffer();
}

/** Returns an interlaced image with 16-bit colours: hundreds of megabytes when decompressed. */
function interlacedPng(side: number): Buffer {
  const steps = [
    [8, 8, 0, 0],
    [8, 8, 4, 0],
    [4, 8, 0, 4],
    [4, 4, 2, 0],
    [2, 4, 0, 2],
    [2, 2, 1, 0],
    [1, 2, 0, 1],
  ] as const;
  const bytes = steps.reduce((sum, [x, y, fromX, fromY]) => {
    const [width, height] = [Math.ceil((side - fromX) / x), Math.ceil((side - fromY) / y)];
    return sum + height * (1 + width * 8);
  }, 0);
  const header = Buffer.concat([u32(side, side), Buffer.from([16, 6, 0, 0, 1])]);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', zeroes(bytes)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const packZeroes = (length: number, finishFlush: number): Buffer =>
  deflateRawSync(Buffer.alloc(length), { finishFlush });
const MANY_ZEROES = 1 << 24;
const MANY_ZEROES_PACKED = packZeroes(MANY_ZEROES, constants.Z_FULL_FLUSH);

/** Compresses the given number of zeroes without holding them in memory: their checksum is known. */
function zeroes(length: number): Buffer {
  const checksum = Buffer.from([(length % 65_521) >> 8, (length % 65_521) & 255, 0, 1]);
  return Buffer.concat([
    Buffer.from([0x78, 0x01]),
    ...Array.from({ length: Math.floor(length / MANY_ZEROES) }, () => MANY_ZEROES_PACKED),
    packZeroes(length % MANY_ZEROES, constants.Z_FINISH),
    checksum,
  ]);
}

const LARGE = 15 * 1024 * 1024 - 1_000;
const SCREEN = Buffer.from([...Buffer.from('GIF89a'), 1, 0, 1, 0, 0, 0, 0]);
const TINY_FRAME = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4c, 1, 0]);

/** Returns an animated image with as many copies of a block as fit, followed by the rest. */
function gifOf(block: readonly number[], ...rest: readonly Buffer[]): Buffer {
  const blocks = Buffer.alloc(LARGE - (LARGE % block.length), Buffer.from(block));
  return Buffer.concat([SCREEN, blocks, ...rest, Buffer.from([0x3b])]);
}

describe('rejected', () => {
  it('truncated files', async () => {
    const half = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2));
    for (const bytes of [await png(50, 50), await jpegWithLocation(50, 50), gif()]) {
      expect(await refusal(half(bytes))).toEqual(REFUSED);
    }
    const video = mp4();
    for (const length of [16, 300, 600]) {
      expect(await refusal(video.subarray(0, length), 'tweet_video')).toEqual(REFUSED);
    }
    expect(await refusal(gif().subarray(0, -1))).toEqual(REFUSED);
  });

  it('files that are not media, whatever they claim', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
    const tiff = await sharp(await png())
      .tiff()
      .toBuffer();
    const html = Buffer.from('<!doctype html><script>alert(1)</script>');
    for (const bytes of [
      Buffer.from(svg),
      html,
      tiff,
      Buffer.from('PK\u0003\u0004'),
      Buffer.from('%PDF-1.7'),
    ]) {
      expect(await refusal(bytes)).toEqual(REFUSED);
      expect(await refusal(bytes, 'tweet_image')).toEqual(REFUSED);
      expect(await refusal(bytes, 'tweet_video')).toEqual(REFUSED);
    }
    const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    expect(await refusal(Buffer.concat([signature, html]))).toEqual(REFUSED);
    expect(await refusal(Buffer.concat([Buffer.from('GIF89a'), html]))).toEqual(REFUSED);
  });

  it('photos of more than 100 million pixels, by their headers, before decoding', async () => {
    const before = process.memoryUsage().rss;
    expect(await refusal(blankPng(10_001))).toEqual(REFUSED);
    const wide = await jpegWithLocation(50, 50);
    const size = wide.indexOf(Buffer.from([0xff, 0xc0])) + 5;
    wide.writeUInt16BE(65_500, size);
    wide.writeUInt16BE(65_500, size + 2);
    expect(await refusal(wide)).toEqual(REFUSED);
    expect(process.memoryUsage().rss - before).toBeLessThan(150e6);
  });

  it('pictures of few pixels and millions of rows, in every format, by their headers', async () => {
    const webp = await sharp(await png(50, 50))
      .webp({ lossless: true })
      .toBuffer();
    const animated = await animatedWebp();
    const canvas = Buffer.from(animated);
    canvas.writeUIntLE(16_384, canvas.indexOf('VP8X') + 12, 3);
    const frame = Buffer.from(animated);
    frame.writeUIntLE(16_384, frame.indexOf('ANMF') + 14, 3);
    const apng = Buffer.concat([
      blankPng(50).subarray(0, 33),
      chunk('fcTL', Buffer.concat([u32(0, 30_000_000, 2), Buffer.alloc(14)])),
      blankPng(50).subarray(33),
    ]);
    const screen = gif({ frames: 1 });
    screen.writeUInt16LE(65_535, 6);
    const jpeg = await jpegWithLocation(50, 50);
    jpeg.writeUInt16BE(16_385, jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 7);
    for (const media of [longPng(3_000_000), canvas, frame, apng, screen, jpeg]) {
      const { status, body } = await app.v1({ media });
      expect([status, body.errors?.[0]?.message]).toEqual([
        400,
        expect.stringContaining('16384 pixels per side'),
      ]);
    }
    expect((await app.v1({ media: webp })).status).toBe(200);
    expect((await app.v1({ media: longPng(16_384) })).status).toBe(200);
  });

  it('animations whose frames have too many pixels in total', async () => {
    expect(await refusal(gif({ frames: 300, width: 1_280, height: 1_080 }), 'tweet_gif')).toEqual(REFUSED);
  });

  it('pictures that a decoder would have to hold in hundreds of megabytes', async () => {
    const before = process.memoryUsage().rss;
    expect(await refusal(interlacedPng(7_000))).toEqual(REFUSED);
    expect(process.memoryUsage().rss - before).toBeLessThan(150e6);
    expect((await app.v1({ media: interlacedPng(200) })).body.image).toMatchObject({ w: 200, h: 200 });
  });

  it('animations of a million frames, within little memory', async () => {
    const bytes = gifOf([...TINY_FRAME]);
    const before = process.memoryUsage().rss;
    expect(await refusal(bytes, 'tweet_gif')).toEqual(REFUSED);
    expect(process.memoryUsage().rss - before).toBeLessThan(150e6);
  });

  it('animations that are too large, too long, or exceed their screen', async () => {
    expect(await refusal(gif({ frames: 351, width: 1, height: 1 }))).toEqual(REFUSED);
    expect(await refusal(gif({ frames: 2, width: 1281, height: 10 }))).toEqual(REFUSED);
    const beyond = gif();
    beyond.writeUInt16LE(65_535, beyond.indexOf(Buffer.from([0x2c, 0, 0, 0, 0])) + 5);
    expect(await refusal(beyond)).toEqual(REFUSED);
  });

  it('videos with impossible box sizes, huge tables, deep nesting or no picture', async () => {
    const head = mp4().subarray(0, 24);
    const nested = (depth: number): Buffer => {
      let inner: Buffer = Buffer.alloc(0);
      for (let level = 0; level < depth; level += 1) inner = box('trak', inner);
      return inner;
    };
    const files: Record<string, Buffer> = {
      'a box of 4 GB': Buffer.concat([head, u32(0xffffffff), Buffer.from('moov')]),
      'a box of 2^63 bytes': Buffer.concat([head, u32(1), Buffer.from('moov'), u32(0x7fffffff, 0xffffffff)]),
      'a box smaller than its head': Buffer.concat([head, u32(3), Buffer.from('moov'), Buffer.alloc(50)]),
      'boxes without content': Buffer.concat([head, ...Array.from({ length: 2_000 }, () => box('free'))]),
      '4 billion samples of one size': mp4({ sampleCount: 0xffffffff }),
      'boxes in boxes': mp4({ extra: [nested(4_000)] }),
      'no track': Buffer.concat([head, box('moov', box('mvhd', Buffer.alloc(100)))]),
      'no pixels': mp4({ width: 0 }),
      'no time': mp4({ durationMs: 0 }),
      'too little time': mp4({ durationMs: 499 }),
      'too much time': mp4({ durationMs: 140_001 }),
      'more time than it says': fragmentedMp4(141),
    };
    const tried = Object.entries(files).map(async ([name, bytes]) => [
      name,
      await refusal(bytes, 'tweet_video'),
    ]);
    expect(await Promise.all(tried)).toEqual(Object.keys(files).map((name) => [name, REFUSED]));
  });

  it('malformed forms', async () => {
    const path = '/1.1/media/upload.json';
    const send = async (contentType: string, payload: string | Buffer) => {
      const headers = { ...(await app.signed('POST', path)), 'content-type': contentType };
      return (await app.request({ method: 'POST', url: path, headers, payload })).status;
    };
    expect(await send('multipart/form-data', 'x')).toBe(400);
    expect(await send('multipart/form-data; boundary=a', 'x')).toBe(400);
    const unbounded =
      '------x\r\ncontent-disposition: form-data; name="media"; filename="a"\r\n\r\nabc\r\n------x--\r\n';
    expect(await send('multipart/form-data; boundary=', unbounded)).toBe(400);
    expect(await send('multipart/form-data; boundary=""', unbounded)).toBe(400);
    expect(await send('multipart/form-data; boundary="', unbounded)).toBe(400);
    expect(await send('multipart/form-data; boundary="; charset=x', unbounded)).toBe(400);
    const open = '--a\r\ncontent-disposition: form-data; name="media"; filename="x"\r\n\r\n';
    expect(await send('multipart/form-data; boundary=a', `${open}abc`)).toBe(400);
    expect(await send('multipart/form-data; boundary=a', `${open}a\r\n${open}b\r\n--a--\r\n`)).toBe(400);
    expect(await send('application/json', '{"media":')).toBe(400);
    expect(await send('application/json', '['.repeat(100_000))).toBe(400);
    expect(await send('application/json', '{"media":{"a":[1]}}')).toBe(400);
    expect(await send('image/png', await png())).toBe(400);
    const field = '--a\r\ncontent-disposition: form-data; name="media_category"\r\n\r\n';
    expect(await send('multipart/form-data; boundary=a', `${field}${'x'.repeat(8e6)}\r\n--a--\r\n`)).toBe(
      413,
    );
    expect(await send('multipart/form-data; boundary=a', `${open}${'x'.repeat(15.8e6)}\r\n--a--\r\n`)).toBe(
      413,
    );
    expect(await send('multipart/form-data; boundary=a', `${`${field}x\r\n`.repeat(2_000)}--a--\r\n`)).toBe(
      403,
    );
  });
});

describe('made harmless', () => {
  const script = Buffer.from('<script>alert(document.domain)</script>');
  const stored = async (media: Buffer, category?: string): Promise<Buffer> => {
    const id = await app.uploaded(media, category);
    const key =
      category === 'tweet_video'
        ? `7_${id}`
        : media.subarray(0, 3).toString() === 'GIF'
          ? `16_${id}`
          : `3_${id}`;
    const { data } = (await app.json('GET', `/2/media/${key}?media.fields=url,variants`)).body;
    return (await app.file(data.url ?? data.variants[0].url)).bytes;
  };

  it('photos and animations that are also pages or programs', async () => {
    const jpeg = await jpegWithLocation(20, 20);
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, script.length + 2]), script]);
    const commented = Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]);
    const text = chunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), script]));
    for (const bytes of [
      Buffer.concat([await png(), script]),
      blankPng(64, text),
      Buffer.concat([gif(), script]),
      Buffer.concat([jpeg, script]),
      commented,
    ]) {
      const kept = await stored(bytes);
      expect([bytes.includes(script), kept.includes(script)]).toEqual([true, false]);
      expect((await sharp(kept).metadata()).width).toBeGreaterThan(0);
    }
  });

  it('animations full of empty blocks or with hidden data', async () => {
    const control = [0x21, 0xf9, 4, 0, 10, 0, 0, 0];
    const hidden = Buffer.from([script.length, ...script, 0]);
    const loop = Buffer.from([0x21, 0xff, 11, ...Buffer.from('NETSCAPE2.0'), 3, 1, 0, 0]);
    const frames = [Buffer.from(control), TINY_FRAME, Buffer.from(control), TINY_FRAME];
    const bytes = gifOf(
      control,
      Buffer.concat([loop, hidden]),
      Buffer.concat([loop, Buffer.from([0])]),
      Buffer.from([0x21, 0xf9, 4, 0, 10, 0, 0]),
      hidden,
      ...frames,
    );
    const before = process.memoryUsage().rss;
    const kept = await stored(bytes, 'tweet_gif');
    expect([bytes.includes(script), kept.includes(script)]).toEqual([true, false]);
    const whole = [SCREEN, loop, Buffer.from([0]), ...frames, Buffer.from([0x3b])];
    expect(kept.equals(Buffer.concat(whole))).toBe(true);
    expect(process.memoryUsage().rss - before).toBeLessThan(250e6);
  });

  it('animated pictures of other formats, stored as still pictures', async () => {
    const webp = await animatedWebp();
    const still = await png(20, 20);
    const data = still.indexOf('IDAT') - 4;
    const animated = chunk('acTL', u32(0x7fffffff, 0));
    const apng = Buffer.concat([still.subarray(0, data), animated, still.subarray(data)]);
    for (const [bytes, type] of [
      [webp, 'image/webp'],
      [apng, 'image/png'],
    ] as const) {
      expect((await app.v1({ media: bytes })).body.image.image_type).toBe(type);
      const kept = await stored(bytes);
      expect((await sharp(kept).metadata()).pages ?? 1).toBe(1);
      expect(kept.includes('acTL')).toBe(false);
    }
  });

  it('videos that contain a page', async () => {
    const page = Buffer.concat([mp4(), box('free', script)]);
    expect((await stored(page, 'tweet_video')).length).toBe(page.length);
    const inUuid = await stored(Buffer.concat([mp4(), box('uuid', Buffer.alloc(16), script)]), 'tweet_video');
    expect(inUuid.includes(script)).toBe(false);
  });

  it('decompression bombs in text chunks, within little memory', async () => {
    const before = process.memoryUsage().rss;
    const bomb = zeroes(200e6);
    const text = chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), bomb]));
    const { status } = await app.v1({ media: blankPng(64, text, text, text, text) });
    expect([200, 400]).toContain(status);
    expect(process.memoryUsage().rss - before).toBeLessThan(300e6);
  });
});

it('the server keeps serving afterwards', async () => {
  expect((await app.get(`/2/tweets/${POSTS.hello}`, app.bearer)).status).toBe(200);
  expect((await app.v1({ media: await png() })).status).toBe(200);
});
