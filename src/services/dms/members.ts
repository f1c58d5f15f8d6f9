import type { ConversationId, DmEvent } from '../../core/direct-message.js';
import type { DmEventId, UserId } from '../../core/ids.js';
import { timeOfId, type IdSource } from '../../core/snowflake.js';
import {
  deleteConversation,
  deleteParticipant,
  insertParticipant,
  listParticipants,
} from '../../stores/dm-conversations.js';
import { insertDmEvent } from '../../stores/dm-events.js';
import { deliver } from '../../stores/dm-inbox.js';
import type { Tx } from '../../database/engine.js';

/**
 * Changes to the participants of a group. Callers must hold `lockConversation` or have just created the conversation.
 */

export interface MemberDeps {
  readonly ids: IdSource;
}

/**
 * Adds users to a group and writes a join event for each. They see events from their own join event on
 * (docs/api/messages.md). Existing participants are skipped.
 */
export async function addMembers(
  tx: Tx,
  deps: MemberDeps,
  {
    conversationId,
    inviterId,
    userIds,
  }: { conversationId: ConversationId; inviterId: UserId; userIds: readonly UserId[] },
): Promise<void> {
  const added: UserId[] = [];
  for (const userId of userIds) {
    if (await insertParticipant(tx, conversationId, userId)) added.push(userId);
  }
  for (const userId of added) {
    const joined = { conversationId, type: 'ParticipantsJoin', senderId: inviterId } as const;
    await writeEvent(tx, deps, { ...joined, detail: { participantIds: [String(userId)] } });
  }
}

/** Removes a user from a conversation and writes a leave event for a group. Deletes an empty conversation. */
export async function removeMember(
  tx: Tx,
  deps: MemberDeps,
  conversationId: ConversationId,
  userId: UserId,
): Promise<void> {
  if (!(await deleteParticipant(tx, conversationId, userId))) return;
  const remaining = await listParticipants(tx, conversationId);
  if (remaining.length === 0) return deleteConversation(tx, conversationId);
  if (conversationId.includes('-')) return;
  const left = { conversationId, type: 'ParticipantsLeave' } as const;
  await writeEvent(tx, deps, { ...left, detail: { participantIds: [String(userId)] } });
}

async function writeEvent(
  tx: Tx,
  { ids }: MemberDeps,
  event: Omit<DmEvent, 'id' | 'createdAtMs'>,
): Promise<void> {
  const id = ids.next<DmEventId>();
  const written = { ...event, id, createdAtMs: timeOfId(id) ?? 0 };
  await insertDmEvent(tx, written);
  await deliver(tx, written);
}
