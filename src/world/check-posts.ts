import { mediaIdOfKey } from '../core/post.js';
import { canBeCombined } from '../services/posts/attachments.js';
import { MAX_LONG_POST_WEIGHT, MAX_POST_WEIGHT } from '../core/limits.js';
import { weightedLength } from '../core/post-text/length.js';
import { normalizePostText } from '../core/post-text/normalize.js';
import { maxPostWeight } from '../services/posts/long-text.js';
import type { World } from './document.js';
import { checkCommunitiesOfPosts } from './kept-detail.js';
import { referencesIn } from './known.js';
import { checkMediaUses, type WorldMedia } from './media.js';
import { requireUnique, type Check } from './pass.js';
import type { WorldPost } from './post-entry.js';
import { differingKey } from './stored-post.js';
import type { WorldUser } from './users.js';

/** The keys by which a post refers to an older one. */
const PARENT_KEYS = ['in_reply_to', 'quote_of', 'repost_of'] as const;

/** Checks that users, older posts, media and places exist and fit. */
export async function checkPosts(
  { posts, media, users, communities }: Pick<World, 'posts' | 'media' | 'users' | 'communities'>,
  check: Check,
): Promise<void> {
  const { known, faults } = check;
  requireUnique(posts, 'id', (post) => post.id, faults);
  await known.requireUsers(referencesIn(posts, 'author', 'tagged_users', 'exclude_reply_users'), faults);
  await declarePosts(posts, check);
  await checkLengths(posts, users, check);
  await checkParents(posts, check);
  checkUnchanged(posts, check);
  await known.requirePlaces(referencesIn(posts, 'place'), faults);
  await checkMediaUse(posts, media, check);
  await checkCommunitiesOfPosts(posts, communities, check);
}

/** Checks that a stored post has the same author. */
async function declarePosts(posts: readonly WorldPost[], { known, faults }: Check): Promise<void> {
  await known.lookups.posts.load(posts.map(({ id }) => id));
  for (const post of posts) {
    const authorId = known.findUserId(post.author);
    const stored = known.post(post.id);
    if (stored?.stored && authorId !== undefined && stored.authorId !== authorId)
      faults.add(`${post.path}.id`, `is a post of user ${stored.authorId} in the database`);
    known.declarePost(post.id, { authorId, repostOf: post.repost_of });
  }
}

const LEADING_HANDLES = /^(?:@\w{1,15} )+/;

/** Checks the lengths of texts (docs/api/posts.md#length): subscribers of the file and the database write long posts. */
async function checkLengths(
  posts: readonly WorldPost[],
  users: readonly WorldUser[],
  { known, faults }: Check,
): Promise<void> {
  const subscribers = new Set(users.filter((user) => user.subscription_type).map((user) => user.id));
  for (const { text = '', author, path, typed_handles_only: holdsHandles } of posts) {
    const typed = normalizePostText(text);
    // Handles that would be added do not count.
    const weight = weightedLength(holdsHandles ? typed.replace(LEADING_HANDLES, '') : typed);
    if (weight <= MAX_POST_WEIGHT) continue;
    const authorId = known.findUserId(author);
    if (authorId === undefined) continue;
    const max = subscribers.has(authorId) ? MAX_LONG_POST_WEIGHT : await maxPostWeight(known.db, authorId);
    if (weight > max)
      faults.add(
        `${path}.text`,
        `is too long: ${weight} of at most ${max}, where links count 23, emoji and wide characters 2`,
      );
  }
}

async function checkParents(posts: readonly WorldPost[], { known, faults }: Check): Promise<void> {
  const parents = referencesIn(posts, ...PARENT_KEYS);
  await known.requirePosts(parents, faults);
  for (const { name, path, entry } of parents) {
    if (name >= entry.id) faults.add(path, `post ${name} must be older: have a smaller id than ${entry.id}`);
  }
}

/** Checks stored posts: loading never changes posts, so a different one with the same id would be lost silently. */
function checkUnchanged(posts: readonly WorldPost[], { known, faults }: Check): void {
  for (const post of posts) {
    const stored = known.post(post.id)?.stored;
    if (!stored || stored.authorId !== known.findUserId(post.author)) continue;
    const key = differingKey(post, stored, (id) => known.original(id));
    if (key !== undefined)
      faults.add(
        `${post.path}.${key}`,
        `differs from post ${post.id} in the database: a changed post needs a new id`,
      );
  }
}

/** Checks that media belong to the author and are used by one post only. */
async function checkMediaUse(
  posts: readonly WorldPost[],
  media: readonly WorldMedia[],
  { known, faults }: Check,
): Promise<void> {
  const uses = referencesIn(posts, 'media').map(({ entry, name, path }) => ({
    by: entry.author,
    name: mediaIdOfKey(name),
    path,
  }));
  await known.requireMedia(uses, faults);
  checkMediaKinds(posts, media, { known, faults });
  checkMediaUses(uses, media, faults);
}

/** Checks that the attachments of one post can be combined (docs/api/posts.md#attachments). */
function checkMediaKinds(
  posts: readonly WorldPost[],
  media: readonly WorldMedia[],
  { known, faults }: Check,
): void {
  const declared = new Map(
    media.map(({ media_key: mediaKey, type }) => [mediaIdOfKey(mediaKey), { mediaKey, type }]),
  );
  for (const { media: keys = [], path } of posts) {
    const ids = keys.map(mediaIdOfKey);
    const shown = ids.flatMap((id) => known.lookups.media.get(id) ?? declared.get(id) ?? []);
    if (!canBeCombined(shown))
      faults.add(
        `${path}.media`,
        'must be 1 to 4 photos, one animated_gif or one video, and none for messages (5_)',
      );
  }
}
