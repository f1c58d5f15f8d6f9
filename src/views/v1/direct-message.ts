import type { DmEvent } from '../../core/direct-message.js';
import type { UserId } from '../../core/ids.js';
import type { Media } from '../../core/post.js';
import { escapeText } from '../../core/post-text/escape.js';
import type { User, UserCounts } from '../../core/user.js';
import { presentEntitiesV1, type UsersById } from './entities.js';
import { presentMediaV1 } from './media.js';

export interface MessageV1Parts {
  readonly message: DmEvent;
  readonly senderId: UserId;
  /** Absent for a message to several people. */
  readonly recipientId: UserId | undefined;
  /** The one attachment. */
  readonly media: Media | undefined;
  readonly users: UsersById;
}

/** Returns a message in the v1.1 format. */
export function presentMessageV1({ message, senderId, recipientId, media, users }: MessageV1Parts) {
  const { id, text = '', createdAtMs, detail } = message;
  const link = detail.entities?.urls?.find(({ media_key }) => media_key !== undefined);
  return {
    type: 'message_create',
    id: String(id),
    created_timestamp: String(createdAtMs),
    message_create: {
      target: { recipient_id: recipientId === undefined ? undefined : String(recipientId) },
      sender_id: String(senderId),
      message_data: {
        text: escapeText(text),
        entities: presentEntitiesV1(detail.entities, users),
        attachment: media && { type: 'media', media: presentMediaV1(media, link) },
      },
    },
  };
}

/** Returns a user as the map of users beside messages has it. */
export function presentMessageUserV1(user: User, counts: UserCounts | undefined) {
  return {
    id: String(user.id),
    created_timestamp: String(user.createdAtMs),
    name: user.name,
    screen_name: user.username,
    location: user.location,
    description: user.description,
    url: user.url,
    protected: user.protected,
    verified: user.verified,
    followers_count: counts?.followers ?? 0,
    friends_count: counts?.following ?? 0,
    statuses_count: counts?.posts ?? 0,
    profile_image_url_https: user.profileImageUrl,
  };
}
