import type { MediaId, PostId, UserId } from '../core/ids.js';
import { mediaIdOfKey, type Post } from '../core/post.js';
import { timeOfId } from '../core/snowflake.js';
import { canBeCombined, taggable } from '../services/posts/attachments.js';
import { MAX_LONG_POST_WEIGHT, MAX_POST_WEIGHT } from '../core/limits.js';
import { weightedLength } from '../core/post-text/length.js';
import { normalizePostText } from '../core/post-text/normalize.js';
import type { TypedText } from '../core/post-text/typed-text.js';
import { maxPostWeight } from '../services/posts/long-text.js';
import type { PostDraft } from '../services/posts/post-draft.js';
import { rememberText } from '../services/posts/recent-text.js';
import type { PostWriter } from '../services/posts/write-post.js';
import { attachMedia } from '../stores/media.js';
import { insertHiddenReply } from '../stores/post-links.js';
import type { World } from './document.js';
import { checkCommunitiesOfPosts, keptDraft } from './kept-detail.js';
import { referencesIn, type Known } from './known.js';
import { checkMediaUses, type WorldMedia } from './media.js';
import { requireUnique, type Check, type Load } from './pass.js';
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

/** Returns the author of the post that shows each medium. */
export function mediaAuthors(posts: readonly WorldPost[], known: Known): ReadonlyMap<MediaId, UserId> {
  return new Map(
    referencesIn(posts, 'media').map(({ entry, name }) => [mediaIdOfKey(name), known.userId(entry.author)]),
  );
}

/** Stores the posts that are not in the database, oldest first, so that references are stored before use. */
export async function storePosts(posts: readonly WorldPost[], load: Load, writer: PostWriter): Promise<void> {
  const missing = posts.filter(({ id }) => !load.known.isStoredPost(id));
  missing.sort((one, other) => (one.id < other.id ? -1 : 1));
  const prepared: Post[] = [];
  for (const post of missing) {
    const next =
      post.repost_of === undefined
        ? await preparePost(post, load, writer)
        : await prepareRepost(post, post.repost_of, load, writer);
    if (next) prepared.push(next);
  }
  await writer.store(load.tx, prepared);
  load.added('posts', prepared.length);
}

async function preparePost(entry: WorldPost, load: Load, writer: PostWriter): Promise<Post> {
  const typed = writer.read(normalizePostText(entry.text ?? ''), entry.lang);
  const draft = await asDraft(entry, typed, load);
  await takeMedia(entry, draft, load);
  const post = await writer.prepare(load.tx, draft, load.known.lookups);
  const pollLabels = draft.poll?.options.map((option) => option.label) ?? [];
  await rememberText(load.tx, post, pollLabels);
  if (entry.hidden) await insertHiddenReply(load.tx, post.conversationId, post.id);
  return post;
}

async function takeMedia(entry: WorldPost, draft: PostDraft, { tx, nowMs, faults }: Load): Promise<void> {
  for (const [index, id] of (draft.mediaIds ?? []).entries()) {
    const taken = await attachMedia(tx, { id, ownerId: draft.authorId, attachTo: draft.id, nowMs });
    if (!taken) faults.add(`${entry.path}.media[${index}]`, 'is in use or another user’s in the database');
  }
}

async function prepareRepost(
  entry: WorldPost,
  repostOf: PostId,
  { tx, known, nowMs, faults }: Load,
  writer: PostWriter,
): Promise<Post | undefined> {
  const draft = {
    id: entry.id,
    authorId: known.userId(entry.author),
    createdAtMs: createdAt(entry, nowMs),
    postId: known.original(repostOf),
    source: entry.source,
  };
  const repost = await writer.prepareRepost(tx, draft, known.lookups);
  if (!repost) faults.add(`${entry.path}.repost_of`, `@${entry.author} has another repost of this post`);
  return repost;
}

async function asDraft(entry: WorldPost, typed: TypedText, { tx, known, nowMs }: Load): Promise<PostDraft> {
  const authorId = known.userId(entry.author);
  const original = (id: PostId | undefined) => (id === undefined ? undefined : known.original(id));
  const { poll } = entry;
  return {
    id: entry.id,
    authorId,
    createdAtMs: createdAt(entry, nowMs),
    typed,
    source: entry.source,
    inReplyToPostId: original(entry.in_reply_to),
    typedHandlesOnly: entry.typed_handles_only,
    excludedReplyUserIds: entry.exclude_reply_users?.map((name) => known.userId(name)),
    quotedPostId: original(entry.quote_of),
    mediaIds: entry.media?.map(mediaIdOfKey),
    taggedUserIds: await taggable(tx, authorId, entry.tagged_users?.map((name) => known.userId(name)) ?? []),
    poll: poll && {
      id: poll.id,
      options: poll.options.map((label, index) => ({ label, votes: poll.votes?.[index] ?? 0 })),
      durationMinutes: poll.duration_minutes,
    },
    placeId: entry.place,
    replySettings: entry.reply_settings,
    superFollowersOnly: entry.super_followers_only,
    possiblySensitive: entry.possibly_sensitive,
    ...keptDraft(entry),
    withheld: entry.withheld && {
      copyright: entry.withheld.copyright ?? false,
      country_codes: entry.withheld.country_codes,
    },
  };
}

function createdAt({ id, created_at }: WorldPost, nowMs: number): number {
  return created_at?.at(nowMs) ?? timeOfId(id) ?? nowMs;
}
