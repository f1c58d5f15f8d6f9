import type { UserId } from '../../core/ids.js';
import type { Space, SpaceId } from '../../core/space.js';
import type { Visibility } from '../../core/visibility.js';
import { countSpaceBuyers, findSpaces } from '../../stores/spaces.js';
import { loadActivity } from './activity.js';
import type { ViewReads } from './reads.js';

/** Spaces by id, with their visibility to the viewer. */
export interface SpaceSet {
  /** Returns the stored Space regardless of visibility; check `visibility` before showing it. */
  find(id: SpaceId): Space | undefined;
  /** Returns the visibility of a Space, which is that of its creator's activity. */
  visibility(space: Space): Visibility | undefined;
  /**
   * Returns the ticket count of the viewer's own Space; undefined for Spaces of others (docs/api/objects.md#space).
   */
  subscribersOf(space: Space): number | undefined;
}

/** Loads Spaces in one batch; counts tickets only if the fields need them. */
export async function hydrateSpaces(
  reads: ViewReads,
  ids: readonly SpaceId[],
  viewerId: UserId | undefined,
  fields: ReadonlySet<string>,
): Promise<SpaceSet> {
  const spaces = await findSpaces(reads.db, [...new Set(ids)]);
  const creators = [...new Set([...spaces.values()].map((space) => space.creatorId))];
  const visibilityOf = await loadActivity(reads, creators, viewerId);
  const isOwn = (space: Space): boolean => space.creatorId === viewerId;
  const own = fields.has('subscriber_count') ? [...spaces.values()].filter(isOwn) : [];
  const buyers = await countSpaceBuyers(
    reads.db,
    own.map((space) => space.id),
  );
  return {
    find: (id) => spaces.get(id),
    visibility: (space) => visibilityOf(space.creatorId),
    subscribersOf: (space) => (isOwn(space) ? (buyers.get(space.id) ?? 0) : undefined),
  };
}
