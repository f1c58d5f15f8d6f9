import type { PostId } from '../../core/ids.js';
import type { Place, PostCounts, PostHead } from '../../core/post.js';
import { NO_POST_COUNTS } from '../../core/post.js';
import { containsPhrase } from '../../core/search-text/tokenize.js';
import { metresBetween, type Point } from '../../query/geo.js';
import type { Selection } from '../../query/selection.js';
import type { Queryable } from '../../database/engine.js';
import { findPostCounts, findPosts } from '../../stores/posts.js';
import { runsOf } from '../../database/search.js';
import { documentOf, loadSearchable, type SearchablePost } from './document.js';
import { indexable } from './post-terms.js';
import type { CheckedCondition, PhraseLeaf, PlanLeaf } from './plan-leaves.js';

/** A possible match, with everything needed to check it. */
interface Candidate {
  /** The coordinates of the post, or of the original of a repost. */
  readonly coordinates: PostHead['coordinates'];
  readonly place: SearchablePost['place'];
  readonly runs: readonly (readonly string[])[];
  readonly facets: readonly string[];
  readonly counts: PostCounts;
}

/** Returns the candidates that match, in their order. */
export async function checkCandidates(
  db: Queryable,
  query: Selection<PlanLeaf>,
  ids: readonly PostId[],
): Promise<PostId[]> {
  if (ids.length === 0) return [];
  const posts = await findPosts(db, ids);
  const counts = await findPostCounts(db, ids);
  const matching = new Set<PostId>();
  for (const searchable of await loadSearchable(db, [...posts.values()].map(indexable))) {
    const { post, original = post } = searchable;
    const document = documentOf(searchable);
    const candidate = {
      coordinates: original.coordinates,
      place: searchable.place,
      runs: runsOf(document),
      facets: document.facets.split(' '),
      counts: counts.get(post.id) ?? NO_POST_COUNTS,
    };
    if (matches(candidate, query)) matching.add(post.id);
  }
  return ids.filter((id) => matching.has(id));
}

function matches(candidate: Candidate, query: Selection<PlanLeaf>): boolean {
  switch (query.kind) {
    case 'only':
      return fulfils(candidate, query.leaf);
    case 'all':
      return query.of.every((part) => matches(candidate, part));
    case 'any':
      return query.of.some((part) => matches(candidate, part));
    case 'except':
      return matches(candidate, query.from) && !matches(candidate, query.without);
  }
}

function fulfils(candidate: Candidate, leaf: PlanLeaf): boolean {
  switch (leaf.kind) {
    case 'phrase':
      return holds(candidate, leaf);
    case 'facets':
      return candidate.facets.some((facet) => leaf.anyOf.includes(facet));
    case 'checked':
      return passes(candidate, leaf.condition);
  }
}

function holds({ runs }: Candidate, phrase: PhraseLeaf): boolean {
  return runs.some((run) => containsPhrase(run, phrase));
}

function passes(candidate: Candidate, condition: CheckedCondition): boolean {
  const { facets, counts } = candidate;
  if (condition.kind === 'min-count') return counts[condition.counted] >= condition.minimum;
  if (condition.kind === 'any-facet') return facets.some((facet) => condition.facets.has(facet));
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
