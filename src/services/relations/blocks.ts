import type { UserPrincipal } from '../../core/access.js';
import { forbidden } from '../../core/errors.js';
import type { UserId } from '../../core/ids.js';
import type { Page, PageRequest } from '../../core/page.js';
import { listBlocked } from '../../stores/blocks.js';
import type { Engine, Tx } from '../../database/engine.js';
import { lockUsers } from '../../stores/user-locks.js';
import { requireActive, requireTarget } from '../posts/action-rules.js';
import { endBlocking, startBlocking, type RelationDeps } from './changes.js';

/**
 * Blocking (docs/api/errors.md#refused-actions, docs/api/people.md#follows-blocks-and-mutes). Each change is one
 * transaction; `lockUsers` serializes changes to the same users, so read-committed isolation suffices.
 */
export interface BlockService {
  /** Blocks a user. Idempotent. Throws 'resource-not-found' for an unknown target and 'forbidden' for oneself. */
  block(principal: UserPrincipal, targetId: UserId): Promise<void>;
  /** Removes a block. Idempotent. */
  unblock(principal: UserPrincipal, targetId: UserId): Promise<void>;
  /** Lists the blocked users, newest first, without visibility filtering. */
  listBlocked(userId: UserId, request: PageRequest): Promise<Page<UserId>>;
}

export function createBlockService(deps: RelationDeps & { readonly engine: Engine }): BlockService {
  return {
    block: async ({ userId }, targetId) => {
      if (userId === targetId) throw forbidden('You cannot block yourself.');
      await deps.engine.tx('block', (tx) => block(tx, deps, userId, targetId), 'read-committed');
    },
    unblock: async ({ userId }, targetId) => {
      await deps.engine.tx('unblock', (tx) => unblock(tx, userId, targetId), 'read-committed');
    },
    listBlocked: (userId, request) => listBlocked(deps.engine, userId, request),
  };
}

async function block(tx: Tx, deps: RelationDeps, from: UserId, to: UserId): Promise<void> {
  await lockUsers(tx, [from, to]);
  await requireTarget(tx, to);
  await requireActive(tx, from);
  await startBlocking(tx, deps, from, to);
}

async function unblock(tx: Tx, from: UserId, to: UserId): Promise<void> {
  await lockUsers(tx, [from, to]);
  await endBlocking(tx, from, to);
}
