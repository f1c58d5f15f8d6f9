/** A line segment drawn with a round pen. */
export interface Stroke {
  readonly from: Point;
  readonly to: Point;
}

export type Point = readonly [x: number, y: number];

/** The size of a glyph in the units of its points; `y` grows downwards. */
export const GLYPH_SIZE = { width: 4, height: 6 } as const;

const OVAL = 'M2,0 Q0,0 0,3 Q0,6 2,6 Q4,6 4,3 Q4,0 2,0';
const BOW = 'M0,6 L0,0 L2.2,0 Q4,0 4,1.7 Q4,3.4 2.2,3.4 L0,3.4';

/** Paths of capital letters and digits: M moves, L draws a line, Q a quadratic curve. */
const PATHS: Readonly<Record<string, string>> = {
  A: 'M0,6 L2,0 L4,6 M0.7,4 L3.3,4',
  B: 'M0,2.9 L2.2,2.9 Q3.7,2.9 3.7,1.45 Q3.7,0 2.2,0 L0,0 L0,6 L2.2,6 Q4,6 4,4.4 Q4,2.9 2.2,2.9',
  C: 'M4,1.2 Q3.4,0 2.1,0 Q0,0 0,3 Q0,6 2.1,6 Q3.4,6 4,4.8',
  D: 'M0,0 L0,6 L1.6,6 Q4,6 4,3 Q4,0 1.6,0 L0,0',
  E: 'M3.6,0 L0,0 L0,6 L3.6,6 M0,3 L3,3',
  F: 'M3.6,0 L0,0 L0,6 M0,3 L3,3',
  G: 'M4,1.2 Q3.4,0 2.1,0 Q0,0 0,3 Q0,6 2.1,6 Q4,6 4,3.4 L2.4,3.4',
  H: 'M0,0 L0,6 M4,0 L4,6 M0,3 L4,3',
  I: 'M2,0 L2,6',
  J: 'M3.4,0 L3.4,4.2 Q3.4,6 1.8,6 Q0.4,6 0.2,4.6',
  K: 'M0,0 L0,6 M3.8,0 L0,3.6 M1.4,2.4 L4,6',
  L: 'M0,0 L0,6 L3.6,6',
  M: 'M0,6 L0,0 L2,3.6 L4,0 L4,6',
  N: 'M0,6 L0,0 L4,6 L4,0',
  O: OVAL,
  P: BOW,
  Q: `${OVAL} M2.6,4.4 L4.2,6.4`,
  R: `${BOW} M2,3.4 L4,6`,
  S: 'M3.8,1.1 Q3.2,0 2,0 Q0.3,0 0.3,1.5 Q0.3,2.7 2,3 Q4,3.3 4,4.6 Q4,6 2,6 Q0.6,6 0.1,4.8',
  T: 'M0,0 L4,0 M2,0 L2,6',
  U: 'M0,0 L0,4 Q0,6 2,6 Q4,6 4,4 L4,0',
  V: 'M0,0 L2,6 L4,0',
  W: 'M-0.5,0 L0.7,6 L2,1.6 L3.3,6 L4.5,0',
  X: 'M0,0 L4,6 M4,0 L0,6',
  Y: 'M0,0 L2,3 L4,0 M2,3 L2,6',
  Z: 'M0,0 L4,0 L0,6 L4,6',
  0: OVAL,
  1: 'M0.8,1.2 L2,0 L2,6',
  2: 'M0.2,1.4 Q0.4,0 2,0 Q3.8,0 3.8,1.6 Q3.8,2.8 2.4,3.9 L0,6 L4,6',
  3: 'M0.3,1.1 Q0.8,0 2,0 Q3.7,0 3.7,1.5 Q3.7,2.9 2,2.9 Q4,2.9 4,4.5 Q4,6 2,6 Q0.5,6 0,4.8',
  4: 'M3,6 L3,0 L0,4.2 L4,4.2',
  5: 'M3.6,0 L0.6,0 L0.4,2.7 Q1.2,2.3 2,2.3 Q4,2.3 4,4.1 Q4,6 2,6 Q0.6,6 0.1,5',
  6: 'M3.4,0.2 Q0,1.2 0,4 Q0,6 2,6 Q4,6 4,4.1 Q4,2.4 2.1,2.4 Q0.4,2.4 0,4',
  7: 'M0,0 L4,0 L1.4,6',
  8: 'M2,2.8 Q0.4,2.8 0.4,1.4 Q0.4,0 2,0 Q3.6,0 3.6,1.4 Q3.6,2.8 2,2.8 Q0,2.8 0,4.4 Q0,6 2,6 Q4,6 4,4.4 Q4,2.8 2,2.8',
  9: 'M0.6,5.8 Q4,4.8 4,2 Q4,0 2,0 Q0,0 0,1.9 Q0,3.6 1.9,3.6 Q3.6,3.6 4,2',
};

/** Returns the strokes of a capital letter or digit; none for other characters. */
export function strokesOf(letter: string): Stroke[] {
  const strokes: Stroke[] = [];
  let pen: Point = [0, 0];
  for (const [, command = '', text = ''] of (PATHS[letter] ?? '').matchAll(/([MLQ])([^MLQ]+)/g)) {
    const points = text.trim().split(' ').map(pointOf);
    const path = command === 'Q' ? flattened(pen, points) : points;
    for (const to of path) {
      if (command !== 'M') strokes.push({ from: pen, to });
      pen = to;
    }
  }
  return strokes;
}

const CURVE_STEPS = 8;

/** Approximates a quadratic curve by line segments. */
function flattened(start: Point, [control = start, end = start]: readonly Point[]): Point[] {
  return Array.from({ length: CURVE_STEPS }, (_, index) => {
    const t = (index + 1) / CURVE_STEPS;
    const at = (axis: 0 | 1) =>
      (1 - t) ** 2 * start[axis] + 2 * t * (1 - t) * control[axis] + t ** 2 * end[axis];
    return [at(0), at(1)] as const;
  });
}

function pointOf(text: string): Point {
  const [x = 0, y = 0] = text.split(',').map(Number);
  return [x, y];
}
