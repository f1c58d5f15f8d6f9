import { DM_EVENT_TYPES } from '../../core/direct-message.js';
import type { UserId } from '../../core/ids.js';
import { listConversationIds, lockConversation } from '../../stores/dm-conversations.js';
import { byConversation } from '../../stores/dm-events.js';
import { listInbox } from '../../stores/dm-inbox.js';
import type { Engine, Tx } from '../../database/engine.js';
import { forgetEvents } from './forget-events.js';
import { removeMember, type MemberDeps } from './members.js';

/** What one transaction takes away at most. */
const CONVERSATIONS = 50;
const EVENTS = 500;

/**
 * Takes a user who goes away out of every conversation; what was written there remains for the others
 * (docs/api/posts.md#deletion). Broken off, the next call goes on. Callers have suspended the account, so that nothing
 * new is begun.
 */
export async function leaveConversations(
  { engine, ...deps }: MemberDeps & { readonly engine: Engine },
  userId: UserId,
): Promise<void> {
  await repeat(CONVERSATIONS, () =>
    // Who is in a conversation changes under its lock alone; those of several are taken in one order.
    engine.tx('leave conversations', (tx) => leaveSome(tx, deps, userId), 'read-committed'),
  );
  // Nothing comes in any more.
  await repeat(EVENTS, () => engine.tx('empty inbox', (tx) => forgetSome(tx, userId), 'read-committed'));
}

async function leaveSome(tx: Tx, deps: MemberDeps, userId: UserId): Promise<number> {
  const ids = await listConversationIds(tx, userId, CONVERSATIONS);
  for (const id of ids) {
    await lockConversation(tx, id);
    await removeMember(tx, deps, id, userId);
  }
  return ids.length;
}

async function forgetSome(tx: Tx, userId: UserId): Promise<number> {
  const { items: refs } = await listInbox(tx, { userId, types: DM_EVENT_TYPES }, { limit: EVENTS });
  for (const [conversationId, eventIds] of [...byConversation(refs)].sort(byFirst)) {
    await forgetEvents(tx, userId, conversationId, eventIds);
  }
  return refs.length;
}

function byFirst([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

async function repeat(atMost: number, step: () => Promise<number>): Promise<void> {
  let removed = atMost;
  while (removed === atMost) removed = await step();
}
