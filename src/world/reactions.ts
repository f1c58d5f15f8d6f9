import type { PostId } from '../core/ids.js';
import * as v from '../core/validators.js';
import { notifyOfReaction } from '../services/notifications/notify.js';
import { insertBookmark } from '../stores/bookmarks.js';
import { insertLike } from '../stores/likes.js';
import { incrementPostCounts } from '../stores/posts.js';
import { referencesIn } from './known.js';
import type { Check, Load } from './pass.js';
import { idOf, listOf, objectOf } from './readers.js';
import { username } from './users.js';
import { worldTime } from './world-time.js';

const reaction = objectOf({
  user: v.required(username),
  post: v.required(idOf<PostId>()),
  at: worldTime,
});
/** Likes or bookmarks. */
export const readReactions = listOf(reaction);
export type WorldReaction = v.ValueOf<typeof reaction>;

export async function checkReactions(
  entries: readonly WorldReaction[],
  { known, faults }: Check,
): Promise<void> {
  await known.requireUsers(referencesIn(entries, 'user'), faults);
  await known.requirePosts(referencesIn(entries, 'post'), faults);
}

/** Returns the function that stores one kind. A reaction to a repost goes to its original (`Known.original`). */
function storeReactions(kind: 'likes' | 'bookmarks', insert: typeof insertLike) {
  return async (entries: readonly WorldReaction[], load: Load): Promise<void> => {
    const { tx, known, nowMs, edgeId } = load;
    for (const { user, post, at } of entries) {
      const [postId, userId, key] = [known.original(post), known.userId(user), edgeId(at?.at(nowMs))];
      if (!(await insert(tx, userId, postId, key))) continue;
      const author = kind === 'likes' && (await known.lookups.posts.load([postId])).get(postId)?.authorId;
      if (author) await notifyOfReaction(tx, author, { kind: 'like', userId, postId, key });
      await incrementPostCounts(tx, [[postId, kind]]);
      load.added(kind);
    }
  };
}

export const storeLikes = storeReactions('likes', insertLike);
export const storeBookmarks = storeReactions('bookmarks', insertBookmark);
