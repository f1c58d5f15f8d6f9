import type { ConversationId } from '../../core/direct-message.js';
import type { DmEventId, UserId } from '../../core/ids.js';
import { mediaIdOfKey } from '../../core/post.js';
import { listParticipants, lockConversation } from '../../stores/dm-conversations.js';
import { deleteDmEvents, findDmEvents } from '../../stores/dm-events.js';
import { deleteFromInbox, seenAmong } from '../../stores/dm-inbox.js';
import type { Tx } from '../../database/engine.js';
import { detachMedia } from '../../stores/media.js';

/**
 * Takes events of a conversation out of a user's sight; resolves to how many of them the user saw. What nobody in the
 * conversation sees any more is gone altogether, and its media are free: the housekeeping removes their files.
 */
export async function forgetEvents(
  tx: Tx,
  userId: UserId,
  conversationId: ConversationId,
  eventIds: readonly DmEventId[],
): Promise<number> {
  // The last two who see an event may take it away at the same time: one of them then finds it unseen.
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
