import type { UserPrincipal } from '../../core/access.js';
import { forbidden } from '../../core/errors.js';
import type { EdgeId, UserId } from '../../core/ids.js';
import type { Page, PageRequest } from '../../core/page.js';
import type { Engine, Tx } from '../../database/engine.js';
import { deleteMute, insertMute, listMuted } from '../../stores/mutes.js';
import { requireTarget } from '../posts/action-rules.js';
import type { RelationDeps } from './changes.js';

/**
 * Muting, which the muted user is not told of (docs/api/errors.md#refused-actions, docs/api/people.md#follows-blocks-and-mutes; docs/api/people.md#follows-blocks-and-mutes). Each change is one
 * durable transaction that relies on statements alone: nothing else depends on mutes.
 */
export interface MuteService {
  /** Repeated, it changes nothing. Throws 'resource-not-found' for an unknown target and 'forbidden' for oneself. */
  mute(principal: UserPrincipal, targetId: UserId): Promise<void>;
  /** Nothing when there is no mute. */
  unmute(principal: UserPrincipal, targetId: UserId): Promise<void>;
  /** Whom the user mutes, the newest first, before anybody is hidden. */
  listMuted(userId: UserId, request: PageRequest): Promise<Page<UserId>>;
}

export function createMuteService(deps: RelationDeps & { readonly engine: Engine }): MuteService {
  return {
    mute: async ({ userId }, targetId) => {
      if (userId === targetId) throw forbidden("You can't mute yourself.");
      await deps.engine.tx('mute', (tx) => mute(tx, deps, userId, targetId), 'read-committed');
    },
    unmute: async ({ userId }, targetId) => {
      await deps.engine.tx('unmute', (tx) => deleteMute(tx, userId, targetId), 'read-committed');
    },
    listMuted: (userId, request) => listMuted(deps.engine, userId, request),
  };
}

async function mute(tx: Tx, { ids }: RelationDeps, from: UserId, to: UserId): Promise<void> {
  await requireTarget(tx, to);
  await insertMute(tx, { from, to, edgeId: ids.next<EdgeId>() });
}
