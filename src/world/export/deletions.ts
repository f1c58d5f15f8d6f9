import type { PostId } from '../../core/ids.js';
import type { Post } from '../../core/post.js';
import type { Queryable } from '../../database/engine.js';
import { listAllDeletedUsers } from '../../stores/deleted-users.js';
import { entryOf, someOf, timeBeside, worldTimeOf, type Entry } from './entry.js';
import type { Names } from './names.js';
import type { StoredPosts } from './stored-posts.js';

/** Returns the users who were deleted. */
export async function exportDeletedUsers(db: Queryable, names: Names): Promise<Entry[]> {
  return (await listAllDeletedUsers(db))
    .filter(({ id }) => names.find(id) === undefined)
    .map(({ id, createdAtMs, deletedAtMs }) =>
      entryOf({
        id: String(id),
        created_at: timeBeside(id, createdAtMs),
        deleted_at: worldTimeOf(deletedAtMs),
      }),
    );
}

/** Returns the posts that were deleted, with what the replies to them still take from them. */
export function exportDeletedPosts(names: Names, { first, deleted }: StoredPosts): Entry[] {
  const replies = new Map<PostId, Post>();
  for (const post of first.values())
    if (post.inReplyToPostId !== undefined) replies.set(post.inReplyToPostId, post);
  return [...deleted.values()].map(({ id, authorId, createdAtMs, deletedAtMs }) => {
    const reply = replies.get(id);
    return entryOf({
      id: String(id),
      author: names.refer(authorId),
      created_at: timeBeside(id, createdAtMs),
      deleted_at: worldTimeOf(deletedAtMs),
      conversation: reply && reply.conversationId !== id ? String(reply.conversationId) : undefined,
      reply_limited_by: someOf(reply?.detail.replyLimitedBy ?? []),
    });
  });
}
