import { conflict } from '../../core/errors.js';
import type { IdSource } from '../../core/snowflake.js';
import type { PollId, PostId, UserId } from '../../core/ids.js';
import type { LanguageDetector } from '../../core/post-text/language.js';
import { readTypedText } from '../../core/post-text/typed-text.js';
import { newestVersionId, type Post } from '../../core/post.js';
import type { Tx } from '../../database/engine.js';
import { createLookups, type Lookups } from '../../stores/lookups.js';
import { insertPoll } from '../../stores/polls.js';
import { insertMention, insertQuote, insertRepost } from '../../stores/post-links.js';
import { deleteStrayCounts, givePostToCaches, incrementPostCounts, insertPosts } from '../../stores/posts.js';
import { incrementUserCount } from '../../stores/users.js';
import { notifyOfPost, notifyOfReaction } from '../notifications/notify.js';
import { notPermitted } from './action-rules.js';
import { composePost, type ComposedPost, type PostTargets } from './compose-post.js';
import type { PostDraft, RepostDraft } from './post-draft.js';
import { repostText } from './repost-text.js';

/**
 * Writes posts from every source, the API and world files alike. Derives text, entities and conversation;
 * stores the post, poll, mentions and quotes; updates counts. Callers check permissions and attach the media.
 */
export type PostWriter = ReturnType<typeof createPostWriter>;

export interface PostWriterDeps {
  readonly language: LanguageDetector;
  /** The base URL of status links: scheme and host, without a trailing slash. */
  readonly publicUrl: string;
  readonly ids: IdSource;
  /** Runs in the same transaction while posts are stored, and sees that their authors' counts have changed. */
  readonly onWritten?: (tx: Tx, posts: readonly Post[]) => Promise<void>;
}

export function createPostWriter(deps: PostWriterDeps) {
  return {
    /** The base URL of links in texts: scheme and host, without a trailing slash. */
    publicUrl: deps.publicUrl,
    /** Reads a normalized text before it is written. Detects its language unless `lang` is given. */
    read: readTypedText.bind(undefined, deps.language),
    /**
     * Writes a post that replies to and quotes `targets`. `check` runs beside the statements that store it. Throws
     * 'forbidden' when the author's account was deleted, and the errors of `check`.
     */
    write: async (
      tx: Tx,
      draft: PostDraft,
      targets: PostTargets,
      check: (post: Post) => Promise<void>,
    ): Promise<Post> => {
      const composed = await composeDraft(tx, deps, draft, createLookups(tx), targets);
      const { post } = composed;
      // None needs the result of another: a database server gets all of them at once, in this order.
      await Promise.all([
        storeLinks(tx, composed, targets.quoted),
        storePost(tx, deps, post),
        // Either may be deleted at the same time.
        ...[targets.parent, targets.quoted].map((target) => target && deleteStrayCounts(tx, target.id)),
        check(post),
      ]);
      return post;
    },
    /** Derives a post from its draft, and stores nothing. */
    compose: (tx: Tx, draft: PostDraft, targets: PostTargets, lookups = createLookups(tx)) =>
      composePost(lookups, deps.publicUrl, draft, targets),
    /** Writes a repost. Returns undefined and changes nothing when the user already reposted the post. */
    writeRepost: async (tx: Tx, draft: RepostDraft): Promise<Post | undefined> => {
      const post = await prepareRepost(tx, draft, createLookups(tx));
      if (post) await storePost(tx, deps, post);
      return post;
    },
    /**
     * Does what `write` does, except `store`. Adds the post to `lookups`, so that later posts may refer to it. Throws
     * Error when the parent or the quoted post is missing.
     */
    prepare: (tx: Tx, draft: PostDraft, lookups: Lookups) => preparePost(tx, deps, draft, lookups),
    prepareRepost,
    /** Stores and counts prepared posts together. */
    store: (tx: Tx, posts: readonly Post[]) => storePosts(tx, deps, posts),
  };
}

async function preparePost(tx: Tx, deps: PostWriterDeps, draft: PostDraft, lookups: Lookups): Promise<Post> {
  const parent = await findRequired(lookups, draft.inReplyToPostId);
  const quoted = await findRequired(lookups, draft.quotedPostId);
  const composed = await composeDraft(tx, deps, draft, lookups, { parent, quoted });
  await storeLinks(tx, composed, quoted);
  lookups.posts.set(composed.post.id, composed.post);
  return composed.post;
}

/** Composes a post and stores its poll. */
async function composeDraft(
  tx: Tx,
  { ids, publicUrl }: PostWriterDeps,
  draft: PostDraft,
  lookups: Lookups,
  { parent, quoted }: PostTargets,
): Promise<ComposedPost> {
  const pollId = await storePoll(tx, ids, draft);
  return composePost(lookups, publicUrl, draft, { parent, quoted, pollId });
}

/** Stores mentions and the quote of a post, and notifies users of it. */
async function storeLinks(
  tx: Tx,
  { post, mentionedIds }: ComposedPost,
  quoted: Post | undefined,
): Promise<void> {
  const { id, authorId, quotedPostId, createdAtMs } = post;
  const others = [...mentionedIds].filter((userId) => userId !== authorId);
  await Promise.all([
    ...others.map((userId) => insertMention(tx, userId, id, createdAtMs)),
    quotedPostId === undefined ? undefined : insertQuote(tx, quotedPostId, id),
    notifyOfPost(tx, post, mentionedIds, quoted?.authorId),
  ]);
}

async function storePoll(tx: Tx, ids: IdSource, draft: PostDraft): Promise<PollId | undefined> {
  if (!draft.poll) return undefined;
  const { id = ids.next<PollId>(), options, durationMinutes } = draft.poll;
  const endsAtMs = draft.createdAtMs + durationMinutes * 60_000;
  const isNew = await insertPoll(tx, { id, options, durationMinutes, endsAtMs });
  if (!isNew) throw conflict(`Poll ${id} already exists.`);
  return id;
}

async function storePost(tx: Tx, deps: PostWriterDeps, post: Post): Promise<void> {
  await storePosts(tx, deps, [post]);
  givePostToCaches(tx, post);
}

async function storePosts(tx: Tx, { onWritten }: PostWriterDeps, posts: readonly Post[]): Promise<void> {
  const written = new Map<UserId, number>();
  for (const { authorId } of posts) written.set(authorId, (written.get(authorId) ?? 0) + 1);
  const counts = posts.flatMap(
    (post) =>
      [
        [post.inReplyToPostId, 'replies'],
        [post.quotedPostId, 'quotes'],
        [post.repostedPostId, 'reposts'],
      ] as const,
  );
  const [, , areCounted] = await Promise.all([
    insertPosts(tx, posts),
    incrementPostCounts(tx, counts),
    Promise.all([...written].map(([authorId, count]) => incrementUserCount(tx, authorId, 'posts', count))),
    onWritten?.(tx, posts),
  ]);
  if (areCounted.includes(false)) throw notPermitted();
}

async function prepareRepost(tx: Tx, draft: RepostDraft, lookups: Lookups): Promise<Post | undefined> {
  const found = await findRequired(lookups, draft.postId);
  const original =
    found?.repostedPostId === undefined ? found : await findRequired(lookups, found.repostedPostId);
  if (!original) throw new Error('a repost needs a post');
  if (!(await insertRepost(tx, original.id, draft.authorId, draft.id))) return undefined;
  const reaction = { kind: 'repost', userId: draft.authorId, postId: original.id, key: draft.id } as const;
  await notifyOfReaction(tx, original.authorId, reaction);
  const author = (await lookups.users.load([original.authorId])).get(original.authorId);
  const newest = (await findRequired(lookups, newestVersionId(original))) ?? original;
  const { text, entities } = repostText(newest, author?.username ?? String(original.authorId));
  const post: Post = {
    id: draft.id,
    authorId: draft.authorId,
    createdAtMs: draft.createdAtMs,
    conversationId: draft.id,
    text,
    lang: newest.lang,
    source: draft.source,
    repostedPostId: original.id,
    replySettings: 'everyone',
    superFollowersOnly: false,
    possiblySensitive: original.possiblySensitive,
    nullcast: false,
    detail: { entities },
  };
  // Quote lists include reposts of quotes, but quote counts do not (docs/api/posts.md#replies-quotes-and-reposts).
  if (original.quotedPostId !== undefined) await insertQuote(tx, original.quotedPostId, post.id);
  lookups.posts.set(post.id, post);
  return post;
}

async function findRequired({ posts }: Lookups, id: PostId | undefined): Promise<Post | undefined> {
  if (id === undefined) return undefined;
  const post = (await posts.load([id])).get(id);
  if (!post) throw new Error(`post ${id} does not exist`);
  return post;
}
