import { GLYPH_SIZE, strokesOf, type Point, type Stroke } from './glyphs.js';
import { encodePng, SHADES } from './png.js';

/** Background colours with sufficient contrast to white. */
const COLOURS: readonly (readonly [number, number, number])[] = [
  [0x0b, 0x6e, 0x63],
  [0x1f, 0x5f, 0xa8],
  [0x5b, 0x4b, 0xb5],
  [0x8a, 0x3f, 0x9e],
  [0xb0, 0x2f, 0x6e],
  [0xb2, 0x3a, 0x32],
  [0x9a, 0x55, 0x14],
  [0x6f, 0x66, 0x0f],
  [0x3f, 0x73, 0x22],
  [0x1d, 0x6f, 0x86],
  [0x4f, 0x60, 0x70],
  [0x7a, 0x52, 0x48],
];

/** A stroke in pixels. */
interface Line extends Stroke {
  readonly radius: number;
}

/** Draws a square PNG: the initials, or a silhouette without initials, on a colour derived from the id. */
export function drawDefaultPicture(id: bigint, initials: string, size: number): Buffer {
  const shades = new Uint8Array(size * size);
  for (const line of linesOf(initials, size)) paint(shades, size, line);
  return encodePng(size, shades, COLOURS[colourOf(id)] ?? [0, 0, 0], [255, 255, 255]);
}

/** Maps neighbouring ids to different colours. */
function colourOf(id: bigint): number {
  return Number((BigInt.asUintN(32, id * 2_654_435_761n) >> 16n) % BigInt(COLOURS.length));
}

/** The height of the letters relative to the picture; the letter gap and pen radius in glyph units. */
const LETTERS_HEIGHT = { 1: 0.46, 2: 0.36 } as const;
const GAP = 1.9;
const PEN_RADIUS = 0.42;

function linesOf(initials: string, size: number): Line[] {
  const glyphs = [...initials].map(strokesOf);
  if (glyphs.some((strokes) => strokes.length === 0)) return outline(size);
  const unit = ((glyphs.length > 1 ? LETTERS_HEIGHT[2] : LETTERS_HEIGHT[1]) * size) / GLYPH_SIZE.height;
  const width = glyphs.length * (GLYPH_SIZE.width + GAP) - GAP;
  const top = size / 2 - (GLYPH_SIZE.height * unit) / 2;
  return glyphs.flatMap((strokes, index) => {
    const left = size / 2 + (index * (GLYPH_SIZE.width + GAP) - width / 2) * unit;
    const place = ([x, y]: Point): Point => [left + x * unit, top + y * unit];
    return strokes.map(({ from, to }) => ({ from: place(from), to: place(to), radius: PEN_RADIUS * unit }));
  });
}

/** Returns the strokes of a head and shoulders. */
function outline(size: number): Line[] {
  const head: Point = [size / 2, size * 0.4];
  const [left, right]: readonly [Point, Point] = [
    [size * 0.42, size * 0.98],
    [size * 0.58, size * 0.98],
  ];
  return [
    { from: head, to: head, radius: size * 0.165 },
    { from: left, to: right, radius: size * 0.3 },
  ];
}

/** Draws a line with an anti-aliased edge. */
function paint(shades: Uint8Array, size: number, { from, to, radius }: Line): void {
  const reach = radius + 1;
  const [left, right] = [Math.min(from[0], to[0]) - reach, Math.max(from[0], to[0]) + reach];
  const [top, bottom] = [Math.min(from[1], to[1]) - reach, Math.max(from[1], to[1]) + reach];
  for (let y = Math.max(0, Math.floor(top)); y < Math.min(size, bottom); y += 1) {
    for (let x = Math.max(0, Math.floor(left)); x < Math.min(size, right); x += 1) {
      const covered = radius + 0.5 - distance(x + 0.5, y + 0.5, from, to);
      const shade = Math.round(Math.min(1, Math.max(0, covered)) * (SHADES - 1));
      const index = y * size + x;
      if (shade > (shades[index] ?? 0)) shades[index] = shade;
    }
  }
}

/** Returns the distance from a point to a line segment. */
function distance(x: number, y: number, from: Point, to: Point): number {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length2 = dx * dx + dy * dy;
  const t = length2 === 0 ? 0 : ((x - from[0]) * dx + (y - from[1]) * dy) / length2;
  const along = Math.min(1, Math.max(0, t));
  return Math.hypot(x - from[0] - along * dx, y - from[1] - along * dy);
}
