import { createHash } from 'node:crypto';
import type { UserPrincipal } from '../../core/access.js';
import { forbidden } from '../../core/errors.js';
import type { MediaId, PostId, UserId } from '../../core/ids.js';
import { normalizePostText } from '../../core/post-text/normalize.js';
import type { Post, ReplySettings } from '../../core/post.js';
import { timeOfId, type IdSource } from '../../core/snowflake.js';
import type { Engine, Tx } from '../../storage/engine.js';
import { insertRecentText } from '../../storage/posts.js';
import { findAccountStates } from '../../storage/users.js';
import { findVisibleOriginal, isBlockedEitherWay } from '../visibility.js';
import { requirePlace, takeMedia, taggable } from './attachments.js';
import { checkPostInput } from './check-post-input.js';
import { requireMayReply } from './reply-rules.js';
import { linkedPostAtEnd } from './status-links.js';
import type { PostWriter } from './write-post.js';

/** A post as a request asks for it (specification 4.4). */
export interface PostInput {
  readonly text?: string;
  readonly mediaIds?: readonly MediaId[];
  readonly taggedUserIds?: readonly UserId[];
  readonly poll?: { readonly options: readonly string[]; readonly durationMinutes: number };
  readonly quotedPostId?: PostId;
  readonly inReplyToPostId?: PostId;
  readonly excludedReplyUserIds?: readonly UserId[];
  readonly placeId?: string;
  readonly replySettings?: ReplySettings;
  readonly superFollowersOnly?: boolean;
  readonly directMessageDeepLink?: string;
  readonly cardUri?: string;
  readonly nullcast?: boolean;
}

export interface CreatePostDeps {
  readonly engine: Engine;
  readonly ids: IdSource;
  readonly writer: PostWriter;
  readonly publicUrl: string;
}

/** The same text may be posted again after this (reference/behaviours.md 1). */
const DUPLICATE_WINDOW_MS = 24 * 60 * 60 * 1000;

/**
 * Creates a post as the user: every rule of specification 4.4, one transaction, on disk when it resolves. Throws
 * PipitError for what the rules refuse; then nothing is stored.
 */
export async function createPost(
  deps: CreatePostDeps,
  principal: UserPrincipal,
  input: PostInput,
): Promise<Post> {
  const text = normalizePostText(input.text ?? '');
  checkPostInput(input, text);
  return deps.engine.tx('create post', (tx) => writeChecked(tx, deps, principal, input, text));
}

async function writeChecked(
  tx: Tx,
  deps: CreatePostDeps,
  principal: UserPrincipal,
  input: PostInput,
  text: string,
): Promise<Post> {
  const authorId = principal.userId;
  const id = deps.ids.next<PostId>();
  const createdAtMs = timeOfId(id) ?? 0;
  const parent = await findReplyTarget(tx, authorId, input.inReplyToPostId);
  const quoted = await findQuoteTarget(tx, authorId, input, text, deps.publicUrl);
  if (input.placeId !== undefined) await requirePlace(tx, input.placeId);
  const draft = {
    ...input,
    id,
    authorId,
    createdAtMs,
    text,
    source: principal.app.name,
    inReplyToPostId: parent?.id,
    quotedPostId: quoted?.id,
    taggedUserIds: await taggable(tx, authorId, input.taggedUserIds ?? []),
    poll: input.poll && {
      durationMinutes: input.poll.durationMinutes,
      options: input.poll.options.map((label) => ({ label, votes: 0 })),
    },
  };
  await takeMedia(tx, { ids: input.mediaIds ?? [], ownerId: authorId, postId: id, nowMs: createdAtMs });
  const post = await deps.writer.write(tx, draft);
  const isNew = await insertRecentText(tx, {
    userId: authorId,
    hash: contentHash(post, input),
    postId: id,
    createdAtMs,
    sinceMs: createdAtMs - DUPLICATE_WINDOW_MS,
  });
  if (!isNew) throw forbidden('You are not allowed to create a Tweet with duplicate content.');
  return post;
}

async function findReplyTarget(tx: Tx, authorId: UserId, id: PostId | undefined): Promise<Post | undefined> {
  if (id === undefined) return undefined;
  const target = await findVisibleOriginal(tx, authorId, id);
  if (!target) throw forbidden('You attempted to reply to a Tweet that is deleted or not visible to you.');
  await requireNoBlock(tx, authorId, target);
  await requireMayReply(tx, authorId, target);
  return target;
}

/** The post that `quote_tweet_id` names, or, without attachments, the one whose link the text ends with. */
async function findQuoteTarget(
  tx: Tx,
  authorId: UserId,
  input: PostInput,
  text: string,
  publicUrl: string,
): Promise<Post | undefined> {
  if (input.quotedPostId === undefined) {
    if (input.mediaIds || input.poll || input.cardUri !== undefined) return undefined;
    const linked = linkedPostAtEnd(text, publicUrl);
    const target = linked === undefined ? undefined : await findVisibleOriginal(tx, authorId, linked);
    return target && (await mayQuote(tx, authorId, target)) ? target : undefined;
  }
  const target = await findVisibleOriginal(tx, authorId, input.quotedPostId);
  if (!target) throw forbidden('You attempted to quote a Tweet that is deleted or not visible to you.');
  if (!(await mayQuote(tx, authorId, target))) throw notPermitted();
  return target;
}

/** Nobody quotes over a block, nor carries a protected author's posts outside. */
async function mayQuote(tx: Tx, authorId: UserId, target: Post): Promise<boolean> {
  if (target.authorId === authorId) return true;
  if (await isBlockedEitherWay(tx, authorId, target.authorId)) return false;
  const state = (await findAccountStates(tx, [target.authorId])).get(target.authorId);
  return !state?.protected && !target.superFollowersOnly;
}

async function requireNoBlock(tx: Tx, authorId: UserId, target: Post): Promise<void> {
  if (await isBlockedEitherWay(tx, authorId, target.authorId)) throw notPermitted();
}

function notPermitted(): Error {
  return forbidden('You are not permitted to perform this action.');
}

/** What makes two posts of an author duplicates: text and attachments, but not the links added behind the text. */
function contentHash(post: Post, input: PostInput): string {
  const links = post.detail.entities?.urls ?? [];
  const ownLink = links.find((link) => link.media_key !== undefined);
  const text = ownLink ? post.text.replace(ownLink.url, '') : post.text;
  const content = JSON.stringify([
    text,
    input.mediaIds?.map(String) ?? [],
    input.poll?.options ?? [],
    post.quotedPostId === undefined ? '' : String(post.quotedPostId),
  ]);
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}
