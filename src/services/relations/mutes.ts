import type { UserPrincipal } from '../../core/access.js';
import { forbidden } from '../../core/errors.js';
import type { EdgeId, UserId } from '../../core/ids.js';
import type { Page, PageRequest } from '../../core/page.js';
import type { Engine, Tx } from '../../database/engine.js';
import { deleteMute, insertMute, listMuted } from '../../stores/mutes.js';
import { requireTarget } from '../posts/action-rules.js';
import type { RelationDeps } from './changes.js';

/**
 * Muting; the muted user is not notified (docs/api/errors.md#refused-actions,
 * docs/api/people.md#follows-blocks-and-mutes). Each change is one transaction. Nothing else depends on mutes, so
 * read-committed isolation suffices.
 */
export interface MuteService {
  /** Mutes a user. Idempotent. Throws 'resource-not-found' for an unknown target and 'forbidden' for oneself. */
  mute(principal: UserPrincipal, targetId: UserId): Promise<void>;
  /** Removes a mute. Idempotent. */
  unmute(principal: UserPrincipal, targetId: UserId): Promise<void>;
  /** Lists the muted users, newest first, without visibility filtering. */
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
  await insertMute(tx, from, to, ids.next<EdgeId>());
}
