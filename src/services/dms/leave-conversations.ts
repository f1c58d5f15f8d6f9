import { DM_EVENT_TYPES } from '../../core/direct-message.js';
import type { UserId } from '../../core/ids.js';
import { listConversationIds, lockConversation } from '../../stores/dm-conversations.js';
import { byConversation } from '../../stores/dm-events.js';
import { listInbox } from '../../stores/dm-inbox.js';
import type { Engine, Tx } from '../../database/engine.js';
import { removeEvents } from './remove-events.js';
import { removeMember, type MemberDeps } from './members.js';

/** Upper bounds per transaction. */
const CONVERSATIONS = 50;
const EVENTS = 500;

/**
 * Removes a user from all conversations before the account is deleted; sent messages remain for the others
 * (docs/api/posts.md#deletion). Resumable. Callers suspend the account first, so that no new conversation starts.
 */
export async function leaveConversations(
  { engine, ...deps }: MemberDeps & { readonly engine: Engine },
  userId: UserId,
): Promise<void> {
  await repeat(CONVERSATIONS, () =>
    // Participants change only under the conversation's lock. Ordered locking prevents deadlocks.
    engine.tx('leave conversations', (tx) => leaveSome(tx, deps, userId), 'read-committed'),
  );
  // The user is in no conversation, so no new events arrive.
  await repeat(EVENTS, () => engine.tx('empty inbox', (tx) => removeSome(tx, userId), 'read-committed'));
}

async function leaveSome(tx: Tx, deps: MemberDeps, userId: UserId): Promise<number> {
  const ids = await listConversationIds(tx, userId, CONVERSATIONS);
  for (const id of ids) {
    await lockConversation(tx, id);
    await removeMember(tx, deps, id, userId);
  }
  return ids.length;
}

async function removeSome(tx: Tx, userId: UserId): Promise<number> {
  const { items: refs } = await listInbox(tx, { userId, types: DM_EVENT_TYPES }, { limit: EVENTS });
  for (const [conversationId, eventIds] of [...byConversation(refs)].sort(byFirst)) {
    await removeEvents(tx, userId, conversationId, eventIds);
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
