import type { OperatorValue } from './ast.js';
import { METRES_PER_MILE, metresBetween } from './geo.js';
import type { Reading } from './operator-set.js';

const KILOMETRE_METRES = 1000;
/** The exclusive maximum of radius, width and height (docs/api/search.md#operators). */
const MAX_METRES = 25 * METRES_PER_MILE;

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;
const RADIUS = /^(\d+(?:\.\d*)?|\.\d+)(mi|km)$/i;

/** Parses `[longitude latitude radius]` with the radius in `mi` or `km`. */
export function pointRadius(value: OperatorValue): Reading {
  const [first = '', second = '', third = '', ...more] = partsOf(value);
  const longitude = degrees(first, 180);
  const latitude = degrees(second, 90);
  const [, amount, unit] = RADIUS.exec(third) ?? [];
  if (longitude === undefined || latitude === undefined || amount === undefined || more.length > 0) {
    return { fault: 'value must be [longitude latitude radius] with the radius in mi or km' };
  }
  const radiusMetres = Number(amount) * (unit?.toLowerCase() === 'mi' ? METRES_PER_MILE : KILOMETRE_METRES);
  if (radiusMetres >= MAX_METRES) return { fault: 'radius must be less than 25mi' };
  if (radiusMetres === 0) return { fault: 'radius must be greater than 0' };
  return { test: { kind: 'point-radius', longitude, latitude, radiusMetres } };
}

/** Parses `[west south east north]` in degrees. */
export function boundingBox(value: OperatorValue): Reading {
  const sides = partsOf(value).map((part, index) => degrees(part, index % 2 === 0 ? 180 : 90));
  const [west, south, east, north] = sides;
  const isComplete = sides.length === 4;
  if (!isComplete || west === undefined || south === undefined || east === undefined || north === undefined) {
    return { fault: 'value must be [west_longitude south_latitude east_longitude north_latitude]' };
  }
  if (west > east || south > north) return { fault: 'west must not exceed east, nor south north' };
  if (widthMetres(west, south, east, north) >= MAX_METRES) return { fault: 'width must be less than 25mi' };
  if (metresBetween([west, south], [west, north]) >= MAX_METRES)
    return { fault: 'height must be less than 25mi' };
  return { test: { kind: 'bounding-box', west, south, east, north } };
}

/** Returns the width of the longer side, which is nearer to the equator. */
function widthMetres(west: number, south: number, east: number, north: number): number {
  const latitude = south <= 0 && north >= 0 ? 0 : Math.min(Math.abs(south), Math.abs(north));
  return metresBetween([west, latitude], [east, latitude]);
}

function partsOf({ form, text }: OperatorValue): string[] {
  return form === 'brackets' ? text.split(/\s+/).filter((part) => part !== '') : [];
}

function degrees(text: string, limit: number): number | undefined {
  if (!NUMBER.test(text)) return undefined;
  const value = Number(text);
  return Math.abs(value) <= limit ? value : undefined;
}
