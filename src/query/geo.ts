export const METRES_PER_MILE = 1609.344;

/** The mean radius of the Earth (IUGG). */
const EARTH_METRES = 6_371_008.8;

/** A longitude and a latitude in degrees. */
export type Point = readonly [longitude: number, latitude: number];

/** Returns the distance of two points on a sphere of the Earth's size, by the haversine formula. */
export function metresBetween(
  [fromLongitude, fromLatitude]: Point,
  [toLongitude, toLatitude]: Point,
): number {
  const a =
    haversine(toLatitude - fromLatitude) +
    Math.cos(radians(fromLatitude)) * Math.cos(radians(toLatitude)) * haversine(toLongitude - fromLongitude);
  return 2 * EARTH_METRES * Math.asin(Math.sqrt(Math.min(1, a)));
}

function haversine(degrees: number): number {
  return Math.sin(radians(degrees) / 2) ** 2;
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
