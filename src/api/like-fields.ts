import { count, date, id, listOf, text } from '../core/json-schema.js';
import type { StreamedLike } from '../services/streams/streamed-likes.js';
import { presentDate } from '../views/present/dates.js';
import { byDefault, field, type Fields } from '../views/wire/field.js';

/** A like on a stream, without the user who likes (docs/api/streams.md#likes). */
export const likeFields = {
  id: byDefault(id, (like) => String(like.id)),
  created_at: byDefault(date, ({ likedAtMs }) => presentDate(likedAtMs)),
  liked_tweet_id: byDefault(id, ({ post }) => String(post.id)),
  timestamp_ms: byDefault(count, ({ likedAtMs }) => likedAtMs),
  tweet_author_id: byDefault(id, ({ post }) => String(post.authorId)),
  liked_tweet_author_id: field(id, ({ post }) => String(post.authorId)),
  attachments_media_keys: field(listOf(text), ({ post }) => post.detail.mediaKeys),
} satisfies Fields<StreamedLike>;
