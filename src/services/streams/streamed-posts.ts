import type { PostId } from '../../core/ids.js';
import type { FeedEntry } from '../../database/feed.js';
import type { Queryable } from '../../database/engine.js';
import { findPosts } from '../../stores/posts.js';

/** Returns the posts and versions that entries of the feed made, in order. */
export function postsOf(entries: readonly FeedEntry[]): PostId[] {
  return entries.flatMap(({ events }) =>
    events.flatMap((event) =>
      event.kind === 'post-made' || event.kind === 'post-edited' ? [event.postId] : [],
    ),
  );
}

/** Returns those of the posts that are in a language, in their order. */
export async function postsInLanguage(
  db: Queryable,
  ids: readonly PostId[],
  language: string,
): Promise<PostId[]> {
  const posts = await findPosts(db, ids);
  return ids.filter((id) => posts.get(id)?.lang === language);
}

/** Returns the ids of each version's post up to it, oldest first, for the stored versions among `ids`. */
export async function editHistories(
  db: Queryable,
  ids: readonly PostId[],
): Promise<Map<PostId, readonly string[]>> {
  const posts = await findPosts(db, ids);
  return new Map(
    [...posts].map(([id, { detail }]) => {
      const history = detail.editHistory ?? [String(id)];
      return [id, history.slice(0, history.indexOf(String(id)) + 1)];
    }),
  );
}
