import type { UserId } from '../../core/ids.js';
import type { Space, SpaceId } from '../../core/space.js';
import type { Visibility } from '../../core/visibility.js';
import { countSpaceBuyers, findSpaces } from '../../stores/spaces.js';
import { loadActivity } from './activity.js';
import type { ViewReads } from './reads.js';

/** Spaces by id, with whether the viewer may see them. */
export interface SpaceSet {
  /** The stored Space, whoever may see it: ask `visibility` before showing it. */
  find(id: SpaceId): Space | undefined;
  /** A Space is what its creator does: who may see posts of the account may see it. */
  visibility(space: Space): Visibility | undefined;
  /** Of a Space that the viewer created; undefined for those of others, whose business it is (docs/api/objects.md#space). */
  subscribersOf(space: Space): number | undefined;
}

/** Loads Spaces in one go; tickets are counted only when the fields need them. */
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
