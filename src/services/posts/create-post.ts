import type { UserPrincipal } from '../../core/access.js';
import { forbidden } from '../../core/errors.js';
import type { PostId, UserId } from '../../core/ids.js';
import type { TypedText } from '../../core/post-text/typed-text.js';
import type { Post } from '../../core/post.js';
import { REFUSED } from '../../core/refused-actions.js';
import { timeOfId } from '../../core/snowflake.js';
import type { Tx } from '../../database/engine.js';
import { findAccountStates } from '../../stores/users.js';
import { requireMember } from '../communities/communities.js';
import { notPermitted, requireNoBlock, findVisibleOriginal, isBlockedEitherWay } from './action-rules.js';
import { requirePlace, takeMedia, taggable } from './attachments.js';
import { maxPostWeight } from './long-text.js';
import type { PostInput } from './post-draft.js';
import { requireMayReply, requireRoomForLimit } from './reply-rules.js';
import { readPostInput } from './read-post-input.js';
import { rememberText, requireNewText } from './recent-text.js';
import { linkedPostAtEnd } from './status-links.js';
import type { PostWriter } from './write-post.js';
import type { ServiceDeps } from '../service-deps.js';

export interface CreatePostDeps extends Omit<ServiceDeps, 'queue'> {
  readonly writer: PostWriter;
  readonly publicUrl: string;
  /** If true, an author may post the same text again; for replaying archives. */
  readonly allowsRepeats?: boolean;
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
  const maxWeight = () => maxPostWeight(deps.engine, principal.userId);
  const typed = await readPostInput(deps.writer, input, maxWeight);
  const body = (tx: Tx): Promise<Post> => writeChecked(tx, deps, principal, input, typed);
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
  typed: TypedText,
): Promise<Post> {
  const authorId = principal.userId;
  const id = deps.ids.next<PostId>();
  const createdAtMs = timeOfId(id) ?? 0;
  const parent = await findReplyTarget(tx, authorId, input.inReplyToPostId);
  if (parent) requireRoomForLimit(parent, input.replySettings);
  const quoted = await findQuoteTarget(tx, authorId, input, typed.text, deps.publicUrl);
  if (input.placeId !== undefined) await requirePlace(tx, input.placeId);
  if (input.communityId !== undefined) await requireMember(tx, authorId, input.communityId);
  const draft = {
    // A member before the spread makes the draft cheap (core/with-members.ts). The others must not come from the input.
    createdAtMs,
    ...input,
    id,
    authorId,
    typed,
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
  const noteText = deps.allowsRepeats ? rememberText : requireNewText;
  return deps.writer.write(tx, draft, { parent, quoted }, async (post) => {
    await noteText(tx, post, input.poll?.options ?? []);
  });
}

async function findReplyTarget(tx: Tx, authorId: UserId, id: PostId | undefined): Promise<Post | undefined> {
  if (id === undefined) return undefined;
  const target = await findVisibleOriginal(tx, authorId, id);
  if (!target) throw forbidden(REFUSED.replyTarget);
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
