import type { PostId } from '../core/ids.js';
import { firstVersionId, wholeTextOf, type Post } from '../core/post.js';
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

/** The text that the server adds before a reply, and after a post with a quote or media. */
const HANDLES = /^(?:@\w+ )*$/;
const STATUS_LINKS = /^(?: \S+\/status\/\d+(?:\/(?:photo|video)\/1)?)*$/;

type ComparedKey = 'repost_of' | 'in_reply_to' | 'quote_of' | 'text';

/**
 * Returns the first key in which an entry differs from the stored post with its id; undefined if they are equal.
 * Compares what never changes: text and references. `original` finds a repost's original.
 */
function differingKey(
  entry: Pick<WorldPost, ComparedKey>,
  stored: Post,
  original: (id: PostId) => PostId,
): ComparedKey | undefined {
  const refersTo = (id: PostId | undefined, storedId: PostId | undefined): boolean =>
    (id === undefined ? undefined : original(id)) === storedId;
  if (!refersTo(entry.repost_of, stored.repostedPostId)) return 'repost_of';
  if (!refersTo(entry.in_reply_to, stored.inReplyToPostId)) return 'in_reply_to';
  if (!refersTo(entry.quote_of, stored.quotedPostId)) return 'quote_of';
  return entry.repost_of !== undefined || says(stored, entry.text ?? '') ? undefined : 'text';
}

/**
 * Reports whether a stored post has this text, apart from added handles and links: usernames and the address of the
 * server may have changed since they were added.
 */
function says(stored: Post, text: string): boolean {
  const typed = normalizePostText(text);
  const whole = wholeTextOf(stored).text;
  for (let at = whole.indexOf(typed); at >= 0; at = whole.indexOf(typed, at + 1)) {
    if (isAdded(stored, whole.slice(0, at), whole.slice(at + typed.length))) return true;
    if (at === whole.length) return false;
  }
  return false;
}

function isAdded(stored: Post, before: string, after: string): boolean {
  const hasLinks = stored.quotedPostId !== undefined || stored.detail.mediaKeys !== undefined;
  return (
    (before === '' || (stored.inReplyToPostId !== undefined && HANDLES.test(before))) &&
    (after === '' || (hasLinks && STATUS_LINKS.test(after)))
  );
}
