import { PipitError } from '../../../core/errors.js';
import { SPACE_ID_PATTERN } from '../../../core/space.js';
import { SPACE_SELECTION } from '../../api/fields.js';
import type { WireSpace, WireUser } from '../../api/objects.js';
import type { Envelope } from '../../api/objects.js';
import { isSignedIn, type Visit } from '../../visit.js';

/** A Space with the users that belong to it. */
export interface FoundSpace {
  readonly space: WireSpace;
  readonly users: ReadonlyMap<string, WireUser>;
  readonly isOwn: boolean;
}

/** Returns the id of a Space in the path. Throws `route-not-found` for other texts. */
export function spaceIdInPath({ request: { path } }: Visit): string {
  const { id = '' } = path;
  if (!SPACE_ID_PATTERN.test(id)) throw new PipitError({ code: 'route-not-found' });
  return id;
}

/**
 * Returns the Space in the path; undefined if the viewer may not see the activity of its creator. Throws
 * `route-not-found` for an unknown one.
 */
export async function findSpace(visit: Visit): Promise<FoundSpace | undefined> {
  const id = spaceIdInPath(visit);
  const { data, includes, errors } = await visit.api.call<WireSpace>('findSpaceById', {
    id,
    ...SPACE_SELECTION,
  });
  if (data) return foundSpaces(visit, { data: [data], includes })[0];
  if (errors?.some(({ type }) => type.endsWith('/not-authorized-for-resource')) === true) return undefined;
  throw new PipitError({ code: 'route-not-found' });
}

/** Returns the Spaces of an answer, which was asked for with `SPACE_SELECTION`. */
export function foundSpaces(
  visit: Visit,
  { data = [], includes }: Envelope<readonly WireSpace[]>,
): FoundSpace[] {
  const users = new Map((includes?.users ?? []).map((user) => [user.id, user]));
  const ownId = isSignedIn(visit) ? String(visit.viewer.user.id) : undefined;
  return data.map((space) => ({
    space,
    users,
    isOwn: space.creator_id !== undefined && space.creator_id === ownId,
  }));
}
