import type { UserId } from '../core/ids.js';
import type { Space, SpaceId } from '../core/space.js';
import type { WireObject } from '../core/wire-json.js';
import { ObjectSet } from './hydrate/objects.js';
import { includeUsers, type WantedUser } from './include-users.js';
import { Includes, type Envelope } from './includes.js';
import { hiddenSpaceError, type Lookup } from './list-owner.js';
import { type ViewDeps } from './post-page.js';
import { hiddenError, wantedOf } from './present/partial-errors.js';
import { withFollowed } from './selection.js';
import { presenter } from './wire/presenter.js';
import { spaceFields, topicFields } from './wire/space.js';

export interface SpaceRequest extends Lookup {
  readonly ids: readonly SpaceId[];
  /** The maximum number of Spaces; default: all. */
  readonly limit?: number;
}

/** Returns the requested Spaces in order, each once; missing and invisible ones become entries of `errors`. */
export function viewSpaces(deps: ViewDeps, request: SpaceRequest): Promise<Envelope<WireObject[]>> {
  const objects = new ObjectSet(deps.reads, request.viewerId);
  return objects.complete(() => presentSpaces(request, objects, new Includes()));
}

/** Does the same as `viewSpaces` for Spaces of certain users; entries of `errors` are for users instead of Spaces. */
export function viewSpacesOfCreators(
  deps: ViewDeps,
  request: Omit<SpaceRequest, 'limit'> & { readonly creatorIds: readonly UserId[] },
): Promise<Envelope<WireObject[]>> {
  const objects = new ObjectSet(deps.reads, request.viewerId);
  return objects.complete(() => {
    const includes = new Includes();
    for (const id of request.creatorIds) {
      const error = hiddenError(wantedOf('user', request, id), objects.activityOf(id));
      if (error) includes.addError(error);
    }
    return presentSpaces({ ...request, parameter: undefined }, objects, includes);
  });
}

function presentSpaces(
  request: SpaceRequest,
  objects: ObjectSet,
  includes: Includes,
): Envelope<WireObject[]> {
  const { selection, limit } = request;
  const { expansions, userFields } = selection;
  const fields = withFollowed(selection.spaceFields, selection);
  const shown = visibleSpaces(objects, request, includes).slice(0, limit);
  const present = presenter(spaceFields, fields);
  const isCounted = fields.has('subscriber_count');
  const data = shown.map((space) => present(space, isCounted ? objects.subscribersOf(space) : undefined));
  includeUsers(objects, includes, wantedUsers(shown, expansions), userFields);
  if (expansions.has('topic_ids')) includeTopics(request, shown, includes);
  return includes.envelope(data.length > 0 ? data : undefined);
}

function visibleSpaces(objects: ObjectSet, { ids, parameter }: SpaceRequest, includes: Includes): Space[] {
  const shown: Space[] = [];
  for (const id of new Set(ids)) {
    const space = objects.findSpace(id);
    const error = hiddenSpaceError(objects, id, parameter);
    if (space && !error) shown.push(space);
    else if (error && parameter !== undefined) includes.addError(error);
  }
  return shown;
}

/** The expansions that lead to users, with the ids that they follow. */
const PEOPLE: Readonly<Record<string, (space: Space) => readonly UserId[]>> = {
  creator_id: (space) => [space.creatorId],
  host_ids: (space) => space.hostIds,
  invited_user_ids: (space) => space.invitedIds,
  speaker_ids: (space) => space.speakerIds,
};

function wantedUsers(shown: readonly Space[], expansions: ReadonlySet<string>): WantedUser[] {
  return Object.entries(PEOPLE)
    .filter(([parameter]) => expansions.has(parameter))
    .flatMap(([parameter, idsOf]) => shown.flatMap(idsOf).map((id) => ({ parameter, id })));
}

function includeTopics({ selection }: SpaceRequest, shown: readonly Space[], includes: Includes): void {
  const present = presenter(topicFields, selection.topicFields);
  for (const topic of shown.flatMap((space) => space.topics)) {
    includes.add('topics', topic.id, present(topic));
  }
}
