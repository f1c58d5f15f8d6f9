import { firstVersionId } from '../core/post.js';
import { MAX_LONG_POST_WEIGHT, MAX_POST_WEIGHT } from '../core/limits.js';
import { weightedLength } from '../core/post-text/length.js';
import { normalizePostText } from '../core/post-text/normalize.js';
import { maxPostWeight } from '../services/posts/long-text.js';
import type { World } from './document.js';
import { checkCommunitiesOfPosts } from './kept-detail.js';
import { referencesIn } from './known.js';
import { checkMediaOfPosts } from './post-media.js';
import { requireUnique, type Check } from './pass.js';
import { versionsOf, votersOf, type AuthoredVersion, type WorldPost } from './post-entry.js';
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
  const versions = versionsOf(posts);
  requireUnique(versions, 'id', (version) => version.id, faults);
  await known.requireUsers(referencesIn(posts, 'author', 'exclude_reply_users'), faults);
  await known.requireUsers(referencesIn(versions, 'tagged_users'), faults);
  await known.requireUsers(votersOf(posts), faults);
  await declarePosts(versions, check);
  await checkLengths(versions, users, check);
  await checkParents(posts, check);
  checkUnchanged(versions, check);
  await known.requirePlaces(referencesIn(versions, 'place'), faults);
  await checkMediaOfPosts(versions, media, check);
  await checkCommunitiesOfPosts(posts, communities, check);
}

/** Checks that a stored post has the same author, and that a stored version is one of the same post. */
async function declarePosts(versions: readonly AuthoredVersion[], { known, faults }: Check): Promise<void> {
  await known.lookups.posts.load(versions.map(({ id }) => id));
  for (const { id, author, path, post } of versions) {
    const authorId = known.findUserId(author);
    const stored = known.post(id)?.stored;
    const versionOf = id === post.id ? undefined : post.id;
    if (stored && authorId !== undefined && stored.authorId !== authorId)
      faults.add(`${path}.id`, `is a post of user ${stored.authorId} in the database`);
    else if (stored && versionOf !== undefined && firstVersionId(stored) !== versionOf)
      faults.add(`${path}.id`, 'is another post in the database');
    known.declarePost(id, {
      authorId,
      repostOf: versionOf === undefined ? post.repost_of : undefined,
      versionOf,
    });
  }
}

const LEADING_HANDLES = /^(?:@\w{1,15} )+/;

/** Checks the lengths of texts (docs/api/posts.md#length): subscribers of the file and the database write long posts. */
async function checkLengths(
  versions: readonly AuthoredVersion[],
  users: readonly WorldUser[],
  { known, faults }: Check,
): Promise<void> {
  const subscribers = new Set(users.filter((user) => user.subscription_type).map((user) => user.id));
  for (const { text = '', author, path, post, long } of versions) {
    const typed = normalizePostText(text);
    // Handles that would be added do not count.
    const weight = weightedLength(post.typed_handles_only ? typed.replace(LEADING_HANDLES, '') : typed);
    if (weight <= MAX_POST_WEIGHT) continue;
    const authorId = known.findUserId(author);
    if (authorId === undefined) continue;
    const isLong = long || subscribers.has(authorId);
    const max = isLong ? MAX_LONG_POST_WEIGHT : await maxPostWeight(known.db, authorId);
    if (weight > max)
      faults.add(
        `${path}.text`,
        `is too long: ${weight} of at most ${max}, where links count 23, emoji and wide characters 2`,
      );
  }
}

async function checkParents(posts: readonly WorldPost[], { known, faults }: Check): Promise<void> {
  const parents = referencesIn(posts, ...PARENT_KEYS);
  // A reply or a quote stays when its post is deleted; a repost does not.
  const mayBeMissing = ({ name, entry }: (typeof parents)[number]): boolean =>
    entry.repost_of === undefined && known.deletedPosts.has(name);
  await known.requirePosts(
    parents.filter((parent) => !mayBeMissing(parent)),
    faults,
  );
  for (const { name, path, entry } of parents) {
    if (name >= entry.id) faults.add(path, `post ${name} must be older: have a smaller id than ${entry.id}`);
  }
}

/** Checks stored posts: loading never changes posts, so a different one with the same id would be lost silently. */
function checkUnchanged(versions: readonly AuthoredVersion[], { known, faults }: Check): void {
  for (const { id, path, author, text, post } of versions) {
    const stored = known.post(id)?.stored;
    if (!stored || stored.authorId !== known.findUserId(author)) continue;
    if (post.article !== undefined && stored.detail.article?.id === String(post.article)) continue;
    const key = differingKey({ ...post, text }, stored, (other) => known.original(other));
    if (key !== undefined)
      faults.add(
        `${key === 'text' ? path : post.path}.${key}`,
        `differs from post ${id} in the database: a changed post needs a new id`,
      );
  }
}
