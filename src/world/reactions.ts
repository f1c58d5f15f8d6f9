import type { EdgeId, PostId } from '../core/ids.js';
import * as v from '../core/validators.js';
import { notifyOfReaction } from '../services/notifications/notify.js';
import { insertBookmark } from '../stores/bookmarks.js';
import { insertLike } from '../stores/likes.js';
import { incrementPostCounts } from '../stores/posts.js';
import { referencesIn } from './known.js';
import { requireUnique, type Check, type Load } from './pass.js';
import { idOf, listOf, objectOf } from './readers.js';
import { username } from './users.js';
import { worldTime } from './world-time.js';

const reactionMembers = {
  user: v.required(username),
  post: v.required(idOf<PostId>()),
  at: worldTime,
};
const reaction = objectOf(reactionMembers);
export const readBookmarks = listOf(reaction);

const like = objectOf({ ...reactionMembers, id: idOf<EdgeId>() });
export const readLikes = listOf(like);

export type WorldReaction = v.ValueOf<typeof reaction> & { readonly id?: EdgeId };

export async function checkReactions(
  entries: readonly WorldReaction[],
  { known, faults }: Check,
): Promise<void> {
  requireUnique(entries, 'id', ({ id }) => id, faults);
  for (const { id, at, path } of entries)
    if (id !== undefined && at !== undefined)
      faults.add(`${path}.at`, 'does not go with id, which has a time');
  await known.requireUsers(referencesIn(entries, 'user'), faults);
  await known.requirePosts(referencesIn(entries, 'post'), faults);
}

/** Returns the function that stores one kind. A reaction to a repost goes to its original (`Known.original`). */
function storeReactions(kind: 'likes' | 'bookmarks', insert: typeof insertLike) {
  return async (entries: readonly WorldReaction[], load: Load): Promise<void> => {
    const { tx, known, nowMs, edgeId } = load;
    for (const { user, post, at, id } of entries) {
      const [postId, userId, key] = [known.original(post), known.userId(user), id ?? edgeId(at?.at(nowMs))];
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
