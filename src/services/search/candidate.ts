import type { Place, PostCounts, PostHead } from '../../core/post.js';
import { containsPhrase, type TokenPhrase } from '../../core/search-text/tokenize.js';
import { metresBetween, type Point } from '../../query/geo.js';
import { runsOf, type SearchDocument } from '../../database/search.js';
import type { SearchablePost } from './document.js';
import type { CheckedCondition } from './plan-leaves.js';

/** A possible match, with everything needed to check it. */
export interface Candidate {
  /** The coordinates of the post, or of the original of a repost. */
  readonly coordinates: PostHead['coordinates'];
  readonly place: SearchablePost['place'];
  readonly runs: readonly (readonly string[])[];
  readonly facets: ReadonlySet<string>;
  readonly counts: PostCounts;
}

/** Returns the candidate for a post with its document. */
export function candidateOf(
  { post, original = post, place }: SearchablePost,
  document: SearchDocument,
  counts: PostCounts,
): Candidate {
  return {
    coordinates: original.coordinates,
    place,
    runs: runsOf(document),
    facets: new Set(document.facets.split(' ')),
    counts,
  };
}

/** Reports whether one run contains the phrase. */
export function holds({ runs }: Pick<Candidate, 'runs'>, phrase: TokenPhrase): boolean {
  return runs.some((run) => containsPhrase(run, phrase));
}

/** Checks a condition that indexes do not answer. */
export function passes(candidate: Candidate, condition: CheckedCondition): boolean {
  const { facets, counts } = candidate;
  if (condition.kind === 'min-count') return counts[condition.counted] >= condition.minimum;
  if (condition.kind === 'any-facet') {
    return [...facets].some((facet) => condition.facets.has(facet));
  }
  if (condition.kind === 'phrase') return holds(candidate, condition);
  return shapesOf(candidate).some((points) => points.every((point) => isInside(point, condition)));
}

/** Returns the post's coordinates and the corners of its place; all points of one of them must be inside. */
function shapesOf({ coordinates, place }: Candidate): Point[][] {
  const [longitude, latitude] = coordinates?.coordinates ?? [];
  const point: Point[] = longitude === undefined || latitude === undefined ? [] : [[longitude, latitude]];
  return [point, cornersOf(place)].filter((points) => points.length > 0);
}

function cornersOf(place: Place | undefined): Point[] {
  const box = place?.geo?.['bbox'];
  if (!Array.isArray(box)) return [];
  const [west, south, east, north] = box as readonly (number | undefined)[];
  if (west === undefined || south === undefined || east === undefined || north === undefined) return [];
  return [west, east].flatMap((longitude): Point[] => [
    [longitude, south],
    [longitude, north],
  ]);
}

type Area = Extract<CheckedCondition, { readonly kind: 'point-radius' | 'bounding-box' }>;

function isInside(point: Point, area: Area): boolean {
  if (area.kind === 'point-radius') {
    return metresBetween([area.longitude, area.latitude], point) <= area.radiusMetres;
  }
  const [longitude, latitude] = point;
  return longitude >= area.west && longitude <= area.east && latitude >= area.south && latitude <= area.north;
}
