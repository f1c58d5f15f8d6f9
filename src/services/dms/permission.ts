import { mayMessage, pairConversation } from '../../core/direct-message.js';
import { forbidden, resourceNotFound, type PipitError } from '../../core/errors.js';
import type { UserId } from '../../core/ids.js';
import { blockedAmong, blockersAmong } from '../../stores/blocks.js';
import { conversationsAmong } from '../../stores/dm-conversations.js';
import type { Queryable } from '../../database/engine.js';
import { followersAmong } from '../../stores/follows.js';
import { findUsers } from '../../stores/users.js';

/**
 * Throws 'resource-not-found' (naming `parameter`) when a recipient does not exist, and 'forbidden' when a recipient
 * does not accept messages from the sender (docs/api/messages.md, docs/api/errors.md#refused-actions).
 */
export async function requireMayMessage(
  db: Queryable,
  senderId: UserId,
  recipientIds: readonly UserId[],
  parameter: string,
): Promise<void> {
  const users = await findUsers(db, recipientIds);
  const missing = recipientIds.find((id) => !users.has(id));
  if (missing !== undefined) {
    throw resourceNotFound({ resourceType: 'user', parameter, value: String(missing) });
  }
  const blocked = await blockedAmong(db, senderId, recipientIds);
  const blockers = await blockersAmong(db, senderId, recipientIds);
  const followers = await followersAmong(db, senderId, recipientIds);
  const pairOf = (id: UserId) => pairConversation(senderId, id).id;
  const conversations = await conversationsAmong(db, recipientIds.map(pairOf));
  for (const user of users.values()) {
    const may = mayMessage(user, {
      isSelf: user.id === senderId,
      isBlocked: blocked.has(user.id) || blockers.has(user.id),
      isFollowed: followers.has(user.id),
      hasConversation: conversations.has(pairOf(user.id)),
    });
    if (user.suspended || !may) throw mayNotMessage();
  }
}

function mayNotMessage(): PipitError {
  return forbidden('You do not have permission to DM one or more participants.');
}
