import type { IdSource } from '../../core/snowflake.js';
import type { MediaId, PollId, PostId, UserId } from '../../core/ids.js';
import type { LanguageDetector } from '../../core/post-text/language.js';
import { normalizePostText } from '../../core/post-text/normalize.js';
import type { Media, Post, PostDetail } from '../../core/post.js';
import type { Tx } from '../../database/engine.js';
import { createLookups } from '../../stores/lookups.js';
import { findMedia } from '../../stores/media.js';
import { insertPoll } from '../../stores/polls.js';
import { insertMention, insertQuote, insertRepost } from '../../stores/post-links.js';
import { findPost, incrementPostCount, insertPost } from '../../stores/posts.js';
import { findUser, incrementUserCount } from '../../stores/users.js';
import { notPermitted } from './action-rules.js';
import { composeText } from './compose-text.js';
import { linkEntities } from './link-entities.js';
import type { PostDraft, RepostDraft } from './post-draft.js';
import { replyLimits } from './reply-rules.js';
import { repostText } from './repost-text.js';

/**
 * Writes posts from every source, the API and world files alike. Derives text, entities, language and conversation;
 * stores the post, poll, mentions and quotes; updates counts. Callers check permissions and attach the media.
 */
export type PostWriter = ReturnType<typeof createPostWriter>;

/** The posts that a new post replies to and quotes. */
interface PostTargets {
  readonly parent?: Post;
  readonly quoted?: Post;
}

export interface PostWriterDeps {
  readonly language: LanguageDetector;
  /** The base URL of status links: scheme and host, without a trailing slash. */
  readonly publicUrl: string;
  readonly ids: IdSource;
  /** Runs in the same transaction after a post is stored and counted. */
  readonly onWritten?: (tx: Tx, post: Post) => Promise<void>;
}

export function createPostWriter(deps: PostWriterDeps) {
  return {
    /** The base URL of links in texts: scheme and host, without a trailing slash. */
    publicUrl: deps.publicUrl,
    /**
     * Writes a post. Callers that already loaded the parent and the quoted post pass them in `targets`. Throws
     * 'forbidden' when the author's account was deleted, and Error when a target must be loaded and is missing.
     */
    write: (tx: Tx, draft: PostDraft, targets: PostTargets = {}) => writePost(tx, deps, draft, targets),
    /** Writes a repost. Returns undefined and changes nothing when the user already reposted the post. */
    writeRepost: (tx: Tx, draft: RepostDraft) => writeRepost(tx, deps, draft),
  };
}

async function writePost(
  tx: Tx,
  deps: PostWriterDeps,
  draft: PostDraft,
  targets: PostTargets,
): Promise<Post> {
  const parent = targets.parent ?? (await findRequired(tx, draft.inReplyToPostId));
  const quoted = targets.quoted ?? (await findRequired(tx, draft.quotedPostId));
  const media = [...(await findMedia(tx, draft.mediaIds ?? [])).values()].sort(
    byOrderOf(draft.mediaIds ?? []),
  );
  const lookups = createLookups(tx);
  const typed = normalizePostText(draft.text);
  const { text, links } = await composeText(lookups, deps.publicUrl, { draft, typed, parent, quoted, media });
  const { entities, mentionedIds } = await linkEntities(lookups, text, links);
  const pollId = await storePoll(tx, deps.ids, draft);
  const post: Post = {
    id: draft.id,
    authorId: draft.authorId,
    createdAtMs: draft.createdAtMs,
    conversationId: parent?.conversationId ?? draft.id,
    text,
    lang: draft.lang ?? deps.language.detect(typed),
    source: draft.source,
    inReplyToPostId: parent?.id,
    inReplyToUserId: parent?.authorId,
    quotedPostId: quoted?.id,
    replySettings: draft.replySettings ?? 'everyone',
    superFollowersOnly: draft.superFollowersOnly ?? false,
    possiblySensitive: draft.possiblySensitive ?? false,
    nullcast: draft.nullcast ?? false,
    placeId: draft.placeId,
    detail: {
      ...draftDetail(draft, media),
      replyLimitedBy: limitsBelow(parent),
      entities,
      pollIds: pollId && [String(pollId)],
    },
  };
  await storePost(tx, post, mentionedIds);
  await deps.onWritten?.(tx, post);
  return post;
}

function limitsBelow(parent: Post | undefined): readonly string[] | undefined {
  const limits = parent ? replyLimits(parent) : [];
  return limits.length > 0 ? limits : undefined;
}

function draftDetail(draft: PostDraft, media: readonly Media[]): PostDetail {
  const texts = (ids: readonly bigint[] | undefined): string[] | undefined =>
    ids && ids.length > 0 ? ids.map(String) : undefined;
  return {
    mediaKeys: media.length > 0 ? media.map((item) => item.mediaKey) : undefined,
    taggedUserIds: texts(draft.taggedUserIds),
    excludedReplyUserIds: texts(draft.excludedReplyUserIds),
    withheld: draft.withheld,
    directMessageDeepLink: draft.directMessageDeepLink,
    cardUri: draft.cardUri,
  };
}

async function storePoll(tx: Tx, ids: IdSource, draft: PostDraft): Promise<PollId | undefined> {
  if (!draft.poll) return undefined;
  const { options, durationMinutes } = draft.poll;
  const id = ids.next<PollId>();
  const endsAtMs = draft.createdAtMs + durationMinutes * 60_000;
  await insertPoll(tx, { id, options, durationMinutes, endsAtMs });
  return id;
}

async function storePost(tx: Tx, post: Post, mentionedIds: Iterable<UserId>): Promise<void> {
  if (!(await insertPost(tx, post))) throw new Error(`post ${post.id} exists`);
  if (!(await incrementUserCount(tx, post.authorId, 'posts'))) throw notPermitted();
  for (const userId of mentionedIds) {
    if (userId !== post.authorId) await insertMention(tx, userId, post.id, post.createdAtMs);
  }
  if (post.inReplyToPostId !== undefined) await incrementPostCount(tx, post.inReplyToPostId, 'replies');
  if (post.quotedPostId !== undefined) {
    await insertQuote(tx, post.quotedPostId, post.id);
    await incrementPostCount(tx, post.quotedPostId, 'quotes');
  }
}

async function writeRepost(tx: Tx, deps: PostWriterDeps, draft: RepostDraft): Promise<Post | undefined> {
  const found = await findRequired(tx, draft.postId);
  const original = found?.repostedPostId === undefined ? found : await findRequired(tx, found.repostedPostId);
  if (!original) throw new Error('a repost needs a post');
  if (!(await insertRepost(tx, original.id, draft.authorId, draft.id))) return undefined;
  const author = await findUser(tx, original.authorId);
  const { text, entities } = repostText(original, author?.username ?? String(original.authorId));
  const post: Post = {
    id: draft.id,
    authorId: draft.authorId,
    createdAtMs: draft.createdAtMs,
    conversationId: draft.id,
    text,
    lang: original.lang,
    source: draft.source,
    repostedPostId: original.id,
    replySettings: 'everyone',
    superFollowersOnly: false,
    possiblySensitive: original.possiblySensitive,
    nullcast: false,
    detail: { entities },
  };
  if (!(await insertPost(tx, post))) throw new Error(`post ${post.id} exists`);
  await incrementUserCount(tx, post.authorId, 'posts');
  await incrementPostCount(tx, original.id, 'reposts');
  // Quote lists include reposts of quotes, but quote counts do not (docs/api/posts.md#replies-quotes-and-reposts).
  if (original.quotedPostId !== undefined) await insertQuote(tx, original.quotedPostId, post.id);
  await deps.onWritten?.(tx, post);
  return post;
}

async function findRequired(tx: Tx, id: PostId | undefined): Promise<Post | undefined> {
  if (id === undefined) return undefined;
  const post = await findPost(tx, id);
  if (!post) throw new Error(`post ${id} does not exist`);
  return post;
}

function byOrderOf(ids: readonly MediaId[]): (one: Media, other: Media) => number {
  return (one, other) => ids.indexOf(one.id) - ids.indexOf(other.id);
}
