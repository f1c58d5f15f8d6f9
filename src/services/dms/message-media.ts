import type { DmEvent } from '../../core/direct-message.js';
import type { DmEventId, UserId } from '../../core/ids.js';
import { mediaIdOfKey, type Media } from '../../core/post.js';
import type { User } from '../../core/user.js';
import { userVisibility } from '../../core/visibility.js';
import { findDmEvents } from '../../stores/dm-events.js';
import { findInInbox } from '../../stores/dm-inbox.js';
import type { Queryable } from '../../database/engine.js';
import { findMedia } from '../../stores/media.js';
import { findUsers } from '../../stores/users.js';

/** The message, media and sender behind a message's media link. */
export interface MessageMedia {
  readonly message: DmEvent;
  readonly media: Media;
  /** Undefined when the account is deleted or suspended. */
  readonly sender: User | undefined;
}

/** Returns a message with media that the viewer sees (stores/dm-inbox.ts), otherwise undefined. */
export async function findMessageMedia(
  db: Queryable,
  viewerId: UserId,
  eventId: DmEventId,
): Promise<MessageMedia | undefined> {
  const ref = await findInInbox(db, viewerId, eventId);
  const message = ref && (await findDmEvents(db, [ref])).get(eventId);
  const [mediaKey] = message?.detail.mediaKeys ?? [];
  if (!message || mediaKey === undefined) return undefined;
  const mediaId = mediaIdOfKey(mediaKey);
  const media = (await findMedia(db, [mediaId])).get(mediaId);
  return media && { message, media, sender: await findSender(db, message) };
}

async function findSender(db: Queryable, { senderId }: DmEvent): Promise<User | undefined> {
  if (senderId === undefined) return undefined;
  const sender = (await findUsers(db, [senderId])).get(senderId);
  return sender && userVisibility(sender) === 'visible' ? sender : undefined;
}
