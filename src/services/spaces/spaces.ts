import type { UserPrincipal } from '../../core/access.js';
import { forbidden, resourceNotFound } from '../../core/errors.js';
import type { EdgeId, PostId, UserId } from '../../core/ids.js';
import type { PageRequest } from '../../core/page.js';
import {
  knownParticipants,
  mayBecome,
  queryTokens,
  spaceIdOf,
  type Space,
  type SpaceId,
  type SpaceSettings,
  type SpaceState,
} from '../../core/space.js';
import type { Engine, Tx } from '../../database/engine.js';
import { findPost } from '../../stores/posts.js';
import {
  findSpace,
  findSpaces,
  findSpacesByTokens,
  insertSpace,
  insertSpaceBuyer,
  insertSpacePost,
  listAllOpenSpaces,
  listOpenSpaces,
  listSpaceBuyers,
  listSpacePosts,
  updateSpace,
} from '../../stores/spaces.js';
import { notPermitted } from '../posts/action-rules.js';
import type { ServiceDeps } from '../service-deps.js';

type NewSpace = Pick<SpaceSettings, 'title'> &
  Partial<SpaceSettings> & {
    readonly creatorId: UserId;
    readonly state: Exclude<SpaceState, 'ended'>;
    readonly participants?: number;
  };

/** Absent members stay unchanged. */
export type SpaceChanges = Partial<SpaceSettings> & {
  readonly participants?: number;
  /** `live` starts a scheduled Space; `ended` ends a live one or cancels a scheduled one. */
  readonly state?: Exclude<SpaceState, 'scheduled'>;
  /** Posts to share, in order; the last becomes the newest. Posts already shared keep their position. */
  readonly posts?: readonly PostId[];
  /** Users to sell tickets to, in order; the last becomes the newest. Existing tickets are kept. */
  readonly buyers?: readonly UserId[];
};

/**
 * Spaces (docs/api/spaces.md), which operators create and change, and users their own. Each change is one transaction.
 */
export type SpaceService = ReturnType<typeof createSpaceService>;

export type SpaceDeps = Omit<ServiceDeps, 'queue'>;

export function createSpaceService(deps: SpaceDeps) {
  const { engine } = deps;
  return {
    create: (input: NewSpace) => engine.tx('create space', (tx) => createSpace(tx, deps, input)),
    /**
     * Applies all changes or none. Throws 'resource-not-found' for an unknown Space or post, and 'forbidden' for an
     * invalid state transition, or for tickets when none are sold or the Space has ended.
     */
    change: (id: SpaceId, changes: SpaceChanges) =>
      engine.tx('change space', (tx) => changeSpace(tx, deps, id, changes)),
    /**
     * Returns the live and scheduled Spaces whose titles contain all words of the query: live ones first, then by
     * participants. No visibility filtering.
     */
    search: (query: string, state: SpaceState | 'all') => search(engine, query, state),
    /**
     * Returns Spaces of all users: live ones with the most participants first, then scheduled ones by their start. No
     * visibility filtering.
     */
    listOpen: (state: Exclude<SpaceState, 'ended'> | 'all') => listOpen(engine, state),
    /** Returns the Spaces of these users that have not ended, in the order of the users, newest first. */
    listByCreators: (creatorIds: readonly UserId[]) => listByCreators(engine, creatorIds),
    /**
     * Lists the ticket buyers, newest first. Throws 'forbidden' unless the user created the Space (docs/api/spaces.md).
     */
    listBuyers: async ({ userId }: UserPrincipal, id: SpaceId, request: PageRequest) => {
      const space = await findSpace(engine, id);
      if (space?.creatorId !== userId) throw notPermitted();
      return space.isTicketed ? listSpaceBuyers(engine, id, request) : { items: [] };
    },
    /** Lists the shared posts, newest first, without visibility filtering. */
    listPosts: (id: SpaceId, request: PageRequest) => listSpacePosts(engine, id, request),
  };
}

/** Creates a Space. */
export async function createSpace(tx: Tx, { ids, clock }: SpaceDeps, input: NewSpace): Promise<Space> {
  const nowMs = clock();
  const made = {
    isTicketed: false,
    hostIds: [input.creatorId],
    speakerIds: [],
    invitedIds: [],
    topics: [],
    ...defined(input),
    id: spaceIdOf(ids.next()),
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    startedAtMs: input.state === 'live' ? nowMs : undefined,
  };
  const space: Space = { ...made, participants: participantsOf(made, input.participants) };
  await insertSpace(tx, space);
  return space;
}

/** Applies all changes or none; throws as `SpaceService.change` does. */
export async function changeSpace(
  tx: Tx,
  { ids, clock }: SpaceDeps,
  id: SpaceId,
  { state, posts = [], buyers = [], ...settings }: SpaceChanges,
): Promise<Space> {
  const space = await requireSpace(tx, id);
  const edits = defined(settings);
  const edited = { ...space, ...edits };
  if (buyers.length > 0) requireTickets(edited);
  for (const userId of buyers) await insertSpaceBuyer(tx, id, userId, ids.next<EdgeId>());
  for (const postId of posts) {
    await requirePost(tx, postId);
    await insertSpacePost(tx, id, postId, ids.next<EdgeId>());
  }
  if (state === undefined && Object.keys(edits).length === 0) return space;
  const nowMs = clock();
  const moved = { ...edited, ...(state && moveTo(state, space, nowMs)), updatedAtMs: nowMs };
  const changed: Space = { ...moved, participants: participantsOf(moved, settings.participants) };
  await updateSpace(tx, changed, space.state);
  return changed;
}

function moveTo(state: 'live' | 'ended', space: Space, nowMs: number): Partial<Space> {
  if (!mayBecome(space.state, state)) throw forbidden(`This Space is ${space.state}.`);
  return state === 'live' ? { state, startedAtMs: nowMs } : { state, endedAtMs: nowMs };
}

function requireTickets({ isTicketed, state }: Space): void {
  if (!isTicketed) throw forbidden('No tickets are sold for this Space.');
  if (state === 'ended') throw forbidden('This Space has ended.');
}

/** Counts at least the hosts and speakers of a live Space, unless a number is given. */
function participantsOf(
  space: Omit<Space, 'participants'> & { readonly participants?: number },
  asked?: number,
): number {
  const { participants = 0, state } = space;
  return asked ?? (state === 'live' ? Math.max(participants, knownParticipants(space)) : participants);
}

async function requireSpace(tx: Tx, id: SpaceId): Promise<Space> {
  const space = await findSpace(tx, id);
  if (space) return space;
  throw resourceNotFound({ resourceType: 'space', parameter: 'id', value: id });
}

async function requirePost(tx: Tx, id: PostId): Promise<void> {
  if (await findPost(tx, id)) return;
  throw resourceNotFound({ resourceType: 'tweet', parameter: 'post', value: String(id) });
}

async function search(engine: Engine, query: string, state: SpaceState | 'all'): Promise<SpaceId[]> {
  const ids = await findSpacesByTokens(engine, queryTokens(query));
  const found = [...(await findSpaces(engine, ids)).values()];
  return found
    .filter((space) => state === 'all' || space.state === state)
    .sort(
      (one, other) =>
        Number(other.state === 'live') - Number(one.state === 'live') ||
        other.participants - one.participants ||
        other.createdAtMs - one.createdAtMs ||
        (one.id < other.id ? 1 : -1),
    )
    .map(({ id }) => id);
}

/** The Spaces among which a listing chooses. */
const MAX_LISTED = 1_000;

async function listOpen(engine: Engine, state: SpaceState | 'all'): Promise<SpaceId[]> {
  const spaces = [...(await findSpaces(engine, await listAllOpenSpaces(engine, MAX_LISTED))).values()];
  return spaces
    .filter((space) => state === 'all' || space.state === state)
    .sort(
      (one, other) =>
        Number(other.state === 'live') - Number(one.state === 'live') ||
        (one.state === 'live'
          ? other.participants - one.participants
          : (one.scheduledStartMs ?? Infinity) - (other.scheduledStartMs ?? Infinity)) ||
        other.createdAtMs - one.createdAtMs ||
        (one.id < other.id ? 1 : -1),
    )
    .map(({ id }) => id);
}

async function listByCreators(engine: Engine, creatorIds: readonly UserId[]): Promise<SpaceId[]> {
  const creators = [...new Set(creatorIds)];
  const ids = await listOpenSpaces(engine, creators);
  const spaces = [...(await findSpaces(engine, ids)).values()];
  const rank = new Map(creators.map((id, index) => [id, index]));
  return spaces
    .sort(
      (one, other) =>
        (rank.get(one.creatorId) ?? 0) - (rank.get(other.creatorId) ?? 0) ||
        other.createdAtMs - one.createdAtMs ||
        (one.id < other.id ? 1 : -1),
    )
    .map(({ id }) => id);
}

/** Returns the members that are not undefined. */
function defined<T extends object>(object: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const members = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members) as { [K in keyof T]: Exclude<T[K], undefined> };
}
