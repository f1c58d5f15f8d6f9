import type { UserId } from '../core/ids.js';
import type { WireObject } from '../core/wire-json.js';
import { loadActivity } from './hydrate/activity.js';
import type { Envelope } from './includes.js';
import type { Lookup } from './list-owner.js';
import type { ViewDeps } from './post-page.js';
import { viewUsers } from './user-page.js';

export interface ActorRequest extends Pick<Lookup, 'viewerId' | 'selection'> {
  readonly ids: readonly UserId[];
}

/**
 * Returns users in the given order as those who acted, such as by liking a post. Omits users whose activity the
 * viewer may not see: showing that a protected account liked a post would disclose its likes.
 */
export async function viewActors(
  deps: ViewDeps,
  { ids, viewerId, selection }: ActorRequest,
): Promise<Envelope<WireObject[]>> {
  const visibilityOf = await loadActivity(deps.reads, ids, viewerId);
  return viewUsers(deps, {
    names: ids.filter((id) => visibilityOf(id) === 'visible'),
    viewerId,
    selection,
  });
}
