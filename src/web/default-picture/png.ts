import { crc32, deflateSync } from 'node:zlib';

/** The number of shades between the two colours. */
export const SHADES = 64;

export type Colour = readonly [red: number, green: number, blue: number];

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Encodes a square PNG (RFC 2083) with one shade per pixel, from `dark` (shade 0) to `light` (the last). */
export function encodePng(size: number, shades: Uint8Array, dark: Colour, light: Colour): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // Eight bits per pixel, indexed colour.
  header.set([8, 3, 0, 0, 0], 8);
  const palette = Buffer.from(Array.from({ length: SHADES }, (_, shade) => mixed(dark, light, shade)).flat());
  // Each row starts with its filter type: none.
  const rows = Buffer.alloc(size * (size + 1));
  for (let y = 0; y < size; y += 1) rows.set(shades.subarray(y * size, (y + 1) * size), y * (size + 1) + 1);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function mixed(dark: Colour, light: Colour, shade: number): number[] {
  return dark.map((value, index) =>
    Math.round(value + ((light[index] ?? 0) - value) * (shade / (SHADES - 1))),
  );
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
