import type { MediaId, PostId, UserId } from '../core/ids.js';
import { normalizePostText } from '../core/post-text/normalize.js';
import type { TypedText } from '../core/post-text/typed-text.js';
import { mediaIdOfKey, type Post } from '../core/post.js';
import { timeOfId } from '../core/snowflake.js';
import { taggable } from '../services/posts/attachments.js';
import type { PostDraft } from '../services/posts/post-draft.js';
import { rememberText } from '../services/posts/recent-text.js';
import type { PostWriter } from '../services/posts/write-post.js';
import { attachMedia } from '../stores/media.js';
import { insertHiddenReply } from '../stores/post-links.js';
import { keptDraft } from './kept-detail.js';
import { referencesIn, type Known } from './known.js';
import type { Load } from './pass.js';
import type { WorldPost } from './post-entry.js';

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
