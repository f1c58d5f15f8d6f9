import type { UserPrincipal } from '../../core/access.js';
import { forbidden, invalidRequest, resourceNotFound } from '../../core/errors.js';
import type { UserId } from '../../core/ids.js';
import { MAX_OPEN_SPACES } from '../../core/limits.js';
import type { Space, SpaceId, SpaceSettings, SpaceState } from '../../core/space.js';
import type { Tx } from '../../database/engine.js';
import { lockUsers } from '../../stores/locks.js';
import { findSpace, listOpenSpaces } from '../../stores/spaces.js';
import { notPermitted, requireActive } from '../posts/action-rules.js';
import { changeSpace, createSpace, type SpaceChanges, type SpaceDeps } from './spaces.js';

/** How far ahead a Space can be scheduled. */
const MAX_AHEAD_MS = 30 * 24 * 60 * 60 * 1000;

type OwnSettings = Partial<Pick<SpaceSettings, 'title' | 'scheduledStartMs'>>;

export type OwnSpaceService = ReturnType<typeof createOwnSpaceService>;

/**
 * Creates the service for the changes that users make to their own Spaces (docs/api/pipit.md#own-spaces). Each throws
 * 'resource-not-found' for an unknown Space, and 'forbidden' for another user's and for one in the wrong state.
 */
export function createOwnSpaceService(deps: SpaceDeps) {
  const { engine } = deps;
  const change = (
    { userId }: UserPrincipal,
    id: SpaceId,
    from: SpaceState | undefined,
    changes: SpaceChanges,
  ): Promise<Space> =>
    engine.tx('change own space', async (tx) => {
      await lockUsers(tx, [userId]);
      await requireActive(tx, userId);
      const { state } = await requireOwn(tx, userId, id);
      if (state === 'ended' || (from ?? state) !== state) throw forbidden(`This Space is ${state}.`);
      return changeSpace(tx, deps, id, changes);
    });
  return {
    /** Creates a Space: live at once, or scheduled for a time. Throws 'forbidden' when the user has too many. */
    create: ({ userId }: UserPrincipal, { title, scheduledStartMs }: OwnSettings & { title: string }) =>
      engine.tx('create own space', async (tx) => {
        await lockUsers(tx, [userId]);
        await requireActive(tx, userId);
        requireAhead(scheduledStartMs, deps.clock());
        if ((await listOpenSpaces(tx, [userId])).length >= MAX_OPEN_SPACES) {
          throw forbidden(`You can have at most ${MAX_OPEN_SPACES} live and scheduled Spaces.`);
        }
        const state = scheduledStartMs === undefined ? 'live' : 'scheduled';
        return createSpace(tx, deps, { creatorId: userId, title, scheduledStartMs, state });
      }),
    /** Changes the title of a Space that has not ended, or the time of a scheduled one. */
    change: async (principal: UserPrincipal, id: SpaceId, settings: OwnSettings) => {
      const { scheduledStartMs } = settings;
      requireAhead(scheduledStartMs, deps.clock());
      return change(principal, id, scheduledStartMs === undefined ? undefined : 'scheduled', settings);
    },
    /** Starts a scheduled Space. */
    start: (principal: UserPrincipal, id: SpaceId) => change(principal, id, 'scheduled', { state: 'live' }),
    /** Ends a live Space. */
    end: (principal: UserPrincipal, id: SpaceId) => change(principal, id, 'live', { state: 'ended' }),
    /** Cancels a scheduled Space. */
    cancel: (principal: UserPrincipal, id: SpaceId) => change(principal, id, 'scheduled', { state: 'ended' }),
  };
}

async function requireOwn(tx: Tx, userId: UserId, id: SpaceId): Promise<Space> {
  const space = await findSpace(tx, id);
  if (!space) throw resourceNotFound({ resourceType: 'space', parameter: 'id', value: id });
  if (space.creatorId !== userId) throw notPermitted();
  return space;
}

function requireAhead(startMs: number | undefined, nowMs: number): void {
  if (startMs === undefined || (startMs > nowMs && startMs <= nowMs + MAX_AHEAD_MS)) return;
  const message = '$.scheduled_start: must be in the future, at most 30 days ahead';
  throw invalidRequest('$.scheduled_start', [new Date(startMs).toISOString()], message);
}
