import type { BookmarkFolderId, PostId } from '../core/ids.js';
import { MAX_FOLDER_NAME } from '../core/limits.js';
import * as v from '../core/validators.js';
import { addToFolder, findFolder, insertFolder } from '../stores/bookmark-folders.js';
import { storeBookmarks } from './reactions.js';
import { referencesIn } from './known.js';
import { requireUnique, type Check, type Load } from './pass.js';
import { idOf, listOf, objectOf, valuesOf } from './readers.js';
import { username } from './users.js';

const folder = objectOf({
  id: v.required(idOf<BookmarkFolderId>()),
  user: v.required(username),
  name: v.required(v.text({ min: 1, max: MAX_FOLDER_NAME, pattern: /\S/ })),
  posts: valuesOf(idOf<PostId>()),
});
export const readBookmarkFolders = listOf(folder);
type WorldFolder = v.ValueOf<typeof folder>;

/** Checks that users and posts exist, and that a stored folder is the same user's. */
export async function checkBookmarkFolders(
  entries: readonly WorldFolder[],
  { known, faults }: Check,
): Promise<void> {
  requireUnique(entries, 'id', (entry) => entry.id, faults);
  await known.requireUsers(referencesIn(entries, 'user'), faults);
  await known.requirePosts(referencesIn(entries, 'posts'), faults);
  for (const { id, user, path } of entries) {
    const stored = await findFolder(known.db, id);
    if (stored && stored.userId !== known.findUserId(user))
      faults.add(`${path}.id`, `is a folder of user ${stored.userId} in the database`);
  }
}

/** Stores the folders that are not in the database, and their posts, which become bookmarks as in the interface. */
export async function storeBookmarkFolders(entries: readonly WorldFolder[], load: Load): Promise<void> {
  const { tx, known, edgeId } = load;
  for (const { id, user, name, posts = [], path } of entries) {
    const userId = known.userId(user);
    if (!(await findFolder(tx, id))) {
      await insertFolder(tx, { id, userId, name });
      load.added('bookmark_folders');
    }
    await storeBookmarks(
      posts.map((post) => ({ user, post, at: undefined, path })),
      load,
    );
    for (const post of posts) await addToFolder(tx, id, known.original(post), edgeId(), userId);
  }
}
