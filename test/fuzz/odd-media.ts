import sharp from 'sharp';
import { fragmentedMp4, gif, jpegWithLocation, mp4, png, u32 } from '../api/support/media-files.js';
import type { Random } from '../faults/support/random.js';
import { damage, encodeOddly, noise, oddText } from './odd-values.js';

/** Returns valid media files to be damaged. */
export async function validMedia(): Promise<readonly [Buffer, ...Buffer[]]> {
  const webp = await sharp(await png(30, 20))
    .webp()
    .toBuffer();
  const large = await png(600, 400);
  return [
    large,
    await png(),
    await jpegWithLocation(60, 40),
    webp,
    gif(),
    gif({ frames: 200 }),
    mp4(),
    fragmentedMp4(),
  ];
}

/** Returns a damaged copy of one of the files, preferably in dimensions and lengths. */
export function oddMedia(random: Random, valid: readonly [Buffer, ...Buffer[]]): Buffer {
  const file = Buffer.from(random.pick(valid));
  switch (random.below(6)) {
    case 0:
      return file;
    case 1: {
      const at = random.below(Math.min(64, Math.max(1, file.length - 4)));
      return Buffer.concat([file.subarray(0, at), oddNumber(random), file.subarray(at + 4)]);
    }
    case 2:
      return encodeOddly(random, `WEBVTT\n\n00:00.000 --> 00:01.000\n${oddText(random, 100_000)}`);
    default:
      return damage(random, file);
  }
}

function oddNumber(random: Random): Buffer {
  return u32(random.pick([0, 1, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff, 30_000_000]));
}

/** Returns a multipart form with these fields, not always well-formed. */
export function oddMultipart(
  random: Random,
  fields: Readonly<Record<string, string>>,
  media: Buffer | undefined,
): { readonly contentType: string; readonly bytes: Buffer } {
  const boundary = random.pick(['----x', 'a', 'b'.repeat(70), 'with space', "'()+_,-./:=?"]);
  const line = random.pick(['\r\n', '\r\n', '\r\n', '\n']);
  const parts: Buffer[] = Object.entries(fields).flatMap(([name, value]) => [
    Buffer.from(
      `--${boundary}${line}content-disposition: form-data; name="${name}"${line}${line}${value}${line}`,
    ),
  ]);
  if (media) {
    const extra = random.pick([
      '',
      '',
      `content-type: ${oddText(random, 100)}${line}`,
      'x: y\r\n'.repeat(100),
    ]);
    const head = `content-disposition: form-data; name="media"; filename="${random.pick(['a', '../a', ''])}"${line}`;
    parts.push(Buffer.from(`--${boundary}${line}${head}${extra}${line}`), media, Buffer.from(line));
  }
  const end = random.pick([
    `--${boundary}--${line}`,
    `--${boundary}--${line}`,
    '',
    noise(random, 20).toString('latin1'),
  ]);
  const whole = Buffer.concat([...parts, Buffer.from(end)]);
  const contentType = `multipart/form-data; boundary=${random.pick([boundary, `"${boundary}"`, 'other', ''])}`;
  return { contentType, bytes: random.below(5) === 0 ? damage(random, whole) : whole };
}
