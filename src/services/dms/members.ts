import { DM_EVENT_TYPES, type ConversationId, type DmEvent } from '../../core/direct-message.js';
import type { DmEventId, UserId } from '../../core/ids.js';
import { mediaIdOfKey } from '../../core/post.js';
import { timeOfId } from '../../core/snowflake.js';
import type { Tx } from '../../database/engine.js';
import {
  deleteConversation,
  deleteParticipant,
  insertParticipant,
  listConversationIds,
  listParticipants,
  lockConversation,
} from '../../stores/dm-conversations.js';
import { byConversation, deleteDmEvents, findDmEvents, insertDmEvent } from '../../stores/dm-events.js';
import { deleteFromInbox, deliver, listInbox, seenAmong } from '../../stores/dm-inbox.js';
import { detachMedia } from '../../stores/media.js';
import type { ServiceDeps } from '../service-deps.js';
import { inChunks } from '../chunks.js';

type MemberDeps = Pick<ServiceDeps, 'ids'>;

/**
 * Adds users to a group and writes a join event for each. They see events from their own join event on
 * (docs/api/messages.md). Existing participants are skipped. Callers must hold `lockConversation` or have just created
 * the conversation.
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

/** Removes a user from a conversation and writes a leave event for a group. Deletes an empty conversation. Callers must hold `lockConversation`. */
async function removeMember(
  tx: Tx,
  deps: MemberDeps,
  conversationId: ConversationId,
  userId: UserId,
): Promise<void> {
  if (!(await deleteParticipant(tx, conversationId, userId))) return;
  const remaining = await listParticipants(tx, conversationId);
  if (remaining.length === 0) await deleteConversation(tx, conversationId);
  if (remaining.length === 0 || conversationId.includes('-')) return;
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

/** Upper bounds per transaction. */
const CONVERSATIONS = 50;
const EVENTS = 500;

/**
 * Removes a user from all conversations before the account is deleted; sent messages remain for the others
 * (docs/api/posts.md#deletion). Resumable. Callers suspend the account first, so that no new conversation starts.
 */
export async function leaveConversations(
  { engine, ...deps }: Pick<ServiceDeps, 'engine' | 'ids'>,
  userId: UserId,
): Promise<void> {
  await inChunks(CONVERSATIONS, () =>
    // Participants change only under the conversation's lock. Ordered locking prevents deadlocks.
    engine.tx('leave conversations', (tx) => leaveSome(tx, deps, userId), 'read-committed'),
  );
  // The user is in no conversation, so no new events arrive.
  await inChunks(EVENTS, () => engine.tx('empty inbox', (tx) => removeSome(tx, userId), 'read-committed'));
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

/**
 * Removes events of a conversation from a user's view; resolves to the number removed. Deletes events that no
 * participant sees, and detaches their media, so that housekeeping deletes the files.
 */
export async function removeEvents(
  tx: Tx,
  userId: UserId,
  conversationId: ConversationId,
  eventIds: readonly DmEventId[],
): Promise<number> {
  // Without the lock, two participants could remove an event at once and neither would delete it.
  await lockConversation(tx, conversationId);
  const taken = await deleteFromInbox(tx, userId, conversationId, eventIds);
  const seen = await seenAmong(tx, await listParticipants(tx, conversationId), eventIds);
  const unseen = eventIds.filter((id) => !seen.has(id));
  if (unseen.length > 0) await deleteWithMedia(tx, conversationId, unseen);
  return taken;
}

async function deleteWithMedia(
  tx: Tx,
  conversationId: ConversationId,
  eventIds: readonly DmEventId[],
): Promise<void> {
  const refs = eventIds.map((eventId) => ({ conversationId, eventId }));
  for (const { id, detail } of (await findDmEvents(tx, refs)).values()) {
    for (const key of detail.mediaKeys ?? []) await detachMedia(tx, mediaIdOfKey(key), id);
  }
  await deleteDmEvents(tx, conversationId, eventIds);
}
