import type { UserId } from '../core/ids.js';
import type { Space, SpaceId } from '../core/space.js';
import type { WireObject } from '../core/wire-json.js';
import { loadActivity } from './hydrate/activity.js';
import { hydrateSpaces, type SpaceSet } from './hydrate/spaces.js';
import { includeUsers } from './include-users.js';
import { Includes, type Envelope } from './includes.js';
import type { Lookup } from './list-owner.js';
import { type ViewDeps } from './post-page.js';
import { type PartialError, hiddenError, wantedOf } from './present/partial-errors.js';
import { primarySpaceFields } from './selection.js';
import { presenter } from './wire/presenter.js';
import { spaceFields, topicFields } from './wire/space.js';

export interface SpaceRequest extends Lookup {
  readonly ids: readonly SpaceId[];
  /** The maximum number of Spaces; default: all. */
  readonly limit?: number;
}

/** Returns the requested Spaces in order, each once; missing and invisible ones become entries of `errors`. */
export async function viewSpaces(deps: ViewDeps, request: SpaceRequest): Promise<Envelope<WireObject[]>> {
  const { selection, viewerId, limit = Infinity } = request;
  const includes = new Includes();
  const fields = primarySpaceFields(selection);
  const spaces = await hydrateSpaces(deps.reads, request.ids, viewerId, fields);
  const shown = visibleSpaces(spaces, request, includes).slice(0, limit);
  const present = presenter(spaceFields, fields);
  const data = shown.map((space) => present(space, spaces.subscribersOf(space)));
  await includePeople(deps, request, shown, includes);
  if (selection.expansions.has('topic_ids')) includeTopics(request, shown, includes);
  return includes.envelope(data.length > 0 ? data : undefined);
}

/** Does the same as `viewSpaces` for Spaces of certain users; entries of `errors` are for users instead of Spaces. */
export async function viewSpacesOfCreators(
  deps: ViewDeps,
  request: Omit<SpaceRequest, 'parameter' | 'limit'> & {
    readonly creatorIds: readonly UserId[];
    readonly parameter: string;
  },
): Promise<Envelope<WireObject[]>> {
  const { creatorIds, ...rest } = request;
  const visibilityOf = await loadActivity(deps.reads, creatorIds, request.viewerId);
  const { errors = [], ...envelope } = await viewSpaces(deps, { ...rest, parameter: undefined });
  const refused = [...new Set(creatorIds)].flatMap(
    (id) => hiddenError(wantedOf('user', request, id), visibilityOf(id)) ?? [],
  );
  const all = [...refused, ...errors];
  return all.length > 0 ? { ...envelope, errors: all } : envelope;
}

/**
 * Returns the answer to a page of a Space's content if the Space is missing or not visible: a 200 with `errors`
 * (docs/api/errors.md#partial-errors). Returns undefined if the page may be shown.
 */
export async function refusePageOfSpace(
  { reads }: ViewDeps,
  { id, viewerId }: { readonly id: SpaceId; readonly viewerId: UserId | undefined },
): Promise<Envelope<never> | undefined> {
  const error = refusalOf(await hydrateSpaces(reads, [id], viewerId, new Set()), id, 'id');
  return error && { errors: [error] };
}

function visibleSpaces(spaces: SpaceSet, { ids, parameter }: SpaceRequest, includes: Includes): Space[] {
  const shown: Space[] = [];
  for (const id of new Set(ids)) {
    const space = spaces.find(id);
    const refusal = refusalOf(spaces, id, parameter ?? 'id');
    if (space && !refusal) shown.push(space);
    else if (refusal && parameter !== undefined) includes.addError(refusal);
  }
  return shown;
}

/** Returns the entry for a Space that cannot be shown; one of a suspended or removed account counts as missing. */
function refusalOf(spaces: SpaceSet, id: SpaceId, parameter: string): PartialError | undefined {
  const wanted = wantedOf('space', { parameter }, id);
  const space = spaces.find(id);
  const visibility = space && spaces.visibility(space);
  return hiddenError(wanted, visibility === 'suspended' ? undefined : visibility);
}

/** The expansions that lead to users, with the ids that they follow. */
const PEOPLE: Readonly<Record<string, (space: Space) => readonly UserId[]>> = {
  creator_id: (space) => [space.creatorId],
  host_ids: (space) => space.hostIds,
  invited_user_ids: (space) => space.invitedIds,
  speaker_ids: (space) => space.speakerIds,
};

async function includePeople(
  { reads }: ViewDeps,
  { viewerId, selection }: SpaceRequest,
  shown: readonly Space[],
  includes: Includes,
): Promise<void> {
  const { expansions, userFields } = selection;
  const wanted = Object.entries(PEOPLE)
    .filter(([parameter]) => expansions.has(parameter))
    .flatMap(([parameter, idsOf]) => shown.flatMap(idsOf).map((id) => [parameter, id] as const));
  await includeUsers(reads, includes, wanted, { viewerId, fields: userFields });
}

function includeTopics({ selection }: SpaceRequest, shown: readonly Space[], includes: Includes): void {
  const present = presenter(topicFields, selection.topicFields);
  for (const topic of shown.flatMap((space) => space.topics)) {
    includes.add('topics', topic.id, () => present(topic));
  }
}
