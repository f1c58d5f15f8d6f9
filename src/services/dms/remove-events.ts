import type { ConversationId } from '../../core/direct-message.js';
import type { DmEventId, UserId } from '../../core/ids.js';
import { mediaIdOfKey } from '../../core/post.js';
import { listParticipants, lockConversation } from '../../stores/dm-conversations.js';
import { deleteDmEvents, findDmEvents } from '../../stores/dm-events.js';
import { deleteFromInbox, seenAmong } from '../../stores/dm-inbox.js';
import type { Tx } from '../../database/engine.js';
import { detachMedia } from '../../stores/media.js';

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
  const taken = await deleteFromInbox(tx, userId, eventIds);
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
