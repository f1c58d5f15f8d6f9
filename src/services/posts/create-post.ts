import { createHash } from 'node:crypto';
import type { UserPrincipal } from '../../core/access.js';
import { forbidden } from '../../core/errors.js';
import type { PostId, UserId } from '../../core/ids.js';
import { normalizePostText } from '../../core/post-text/normalize.js';
import type { Post } from '../../core/post.js';
import { timeOfId } from '../../core/snowflake.js';
import type { Tx } from '../../database/engine.js';
import { insertRecentText } from '../../stores/posts.js';
import { findAccountStates } from '../../stores/users.js';
import { notPermitted, requireNoBlock, findVisibleOriginal, isBlockedEitherWay } from './action-rules.js';
import { requirePlace, takeMedia, taggable } from './attachments.js';
import { checkPostInput } from './check-post-input.js';
import type { PostInput } from './post-draft.js';
import { requireMayReply, requireRoomForLimit } from './reply-rules.js';
import { linkedPostAtEnd } from './status-links.js';
import type { PostWriter } from './write-post.js';
import type { ServiceDeps } from '../service-deps.js';

export interface CreatePostDeps extends Omit<ServiceDeps, 'queue'> {
  readonly writer: PostWriter;
  readonly publicUrl: string;
}

/**
 * Creates a post as the user in one durable transaction, with every rule of docs/api/posts.md. Throws PipitError and
 * stores nothing when a rule refuses it.
 */
export async function createPost(
  deps: CreatePostDeps,
  principal: UserPrincipal,
  input: PostInput,
): Promise<Post> {
  const text = normalizePostText(input.text ?? '');
  checkPostInput(input, text);
  const body = (tx: Tx): Promise<Post> => writeChecked(tx, deps, principal, input, text);
  // Read-committed avoids conflicts between concurrent posts. Uniqueness (id, text, media) is enforced by single
  // statements, and counters are incremented. Checks of visibility, follows and blocks may be slightly stale, and a
  // reply outlives its parent anyway.
  return deps.engine.tx('create post', body, 'read-committed');
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
  if (parent) requireRoomForLimit(parent, input.replySettings);
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
  await takeMedia(tx, { ids: input.mediaIds ?? [], ownerId: authorId, postId: id, nowMs: deps.clock() });
  const post = await deps.writer.write(tx, draft, { parent, quoted });
  const isNew = await rememberText(tx, post, input.poll?.options ?? []);
  if (!isNew) throw forbidden('You are not allowed to create a Tweet with duplicate content.');
  return post;
}

async function findReplyTarget(tx: Tx, authorId: UserId, id: PostId | undefined): Promise<Post | undefined> {
  if (id === undefined) return undefined;
  const target = await findVisibleOriginal(tx, authorId, id);
  if (!target) throw forbidden('You attempted to reply to a Tweet that is deleted or not visible to you.');
  await requireNoBlock(tx, authorId, target.authorId);
  await requireMayReply(tx, authorId, target);
  return target;
}

/** Returns the post named by `quote_tweet_id`, or, without attachments, the post whose link ends the text. */
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

/** Reports whether the author may quote the target: no block, no protected author, no subscriber-only post. */
async function mayQuote(tx: Tx, authorId: UserId, target: Post): Promise<boolean> {
  if (target.authorId === authorId) return true;
  if (await isBlockedEitherWay(tx, authorId, target.authorId)) return false;
  const state = (await findAccountStates(tx, [target.authorId])).get(target.authorId);
  return !state?.protected && !target.superFollowersOnly;
}

/** The same text may be posted again after this time (docs/api/posts.md#length). */
const DUPLICATE_WINDOW_MS = 24 * 60 * 60 * 1000;

/**
 * Stores a hash of the post's content. Returns false when the author posted the same content within the last 24
 * hours; the stored hash then still refers to the earlier post. Posts with different attachments differ.
 */
export function rememberText(tx: Tx, post: Post, pollLabels: readonly string[]): Promise<boolean> {
  return insertRecentText(tx, {
    userId: post.authorId,
    hash: contentHash(post, pollLabels),
    postId: post.id,
    createdAtMs: post.createdAtMs,
    sinceMs: post.createdAtMs - DUPLICATE_WINDOW_MS,
  });
}

/** Excludes the link of the post's own media: it contains the post id and would make every text unique. */
function contentHash(post: Post, pollLabels: readonly string[]): string {
  const ownLink = post.detail.entities?.urls?.find((url) => url.media_key !== undefined);
  const text = ownLink ? post.text.replace(ownLink.url, '') : post.text;
  const quoted = post.quotedPostId === undefined ? '' : String(post.quotedPostId);
  const content = JSON.stringify([text, post.detail.mediaKeys ?? [], pollLabels, quoted]);
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}
