import type { Place } from '../../core/post.js';
import { foldText } from '../../core/search-text/fold.js';
import type { Queryable } from '../../database/engine.js';
import { pagePlaces } from '../../stores/places.js';

/** Place types from the smallest to the largest. */
export const PLACE_TYPES = ['poi', 'neighborhood', 'city', 'admin', 'country'] as const;
export type PlaceType = (typeof PLACE_TYPES)[number];

export interface PlaceSearchRequest {
  /** Words of the name. */
  readonly text?: string;
  /** A point within the place, in degrees. */
  readonly point?: { readonly latitude: number; readonly longitude: number };
  /** Excludes smaller places. */
  readonly smallest: PlaceType;
  readonly limit: number;
}

export type PlaceSearch = ReturnType<typeof createPlaceSearch>;

const CHUNK = 1_000;
/** The number of places that one search reads. */
const MAX_READ = 20_000;

/**
 * Creates the function that searches the places of posts: those whose name contains the text and whose box contains
 * the point, smallest box first. There are few places, so it reads them all.
 */
export function createPlaceSearch(db: Queryable) {
  return async (request: PlaceSearchRequest): Promise<Place[]> => {
    const found: Place[] = [];
    let afterId = '';
    for (let read = 0; read < MAX_READ; read += CHUNK) {
      const places = await pagePlaces(db, afterId, CHUNK);
      found.push(...places.filter((place) => matches(place, request)));
      const last = places.at(-1);
      if (!last || places.length < CHUNK) break;
      afterId = last.id;
    }
    return found.sort((one, other) => sizeOf(one) - sizeOf(other)).slice(0, request.limit);
  };
}

function matches(place: Place, { text, point, smallest }: PlaceSearchRequest): boolean {
  const rank = PLACE_TYPES.indexOf((place.placeType ?? 'city') as PlaceType);
  if (rank !== -1 && rank < PLACE_TYPES.indexOf(smallest)) return false;
  if (text !== undefined && !foldText(place.fullName).includes(foldText(text))) return false;
  if (!point) return true;
  const [west, south, east, north] = boxOf(place) ?? [];
  if (west === undefined || south === undefined || east === undefined || north === undefined) return false;
  const { latitude, longitude } = point;
  return west <= longitude && longitude <= east && south <= latitude && latitude <= north;
}

/** Returns west, south, east and north of a place. */
function boxOf({ geo }: Place): readonly number[] | undefined {
  const box: unknown = geo?.['bbox'];
  return Array.isArray(box) && box.length === 4 && box.every(Number.isFinite) ? (box as number[]) : undefined;
}

function sizeOf(place: Place): number {
  const [west = 0, south = 0, east = 360, north = 180] = boxOf(place) ?? [];
  return (east - west) * (north - south);
}
