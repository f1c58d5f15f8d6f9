import type { UserPrincipal } from '../../core/access.js';
import { editableUntilMs, editsRemaining, isEditableKind } from '../../core/edits.js';
import { forbidden, resourceNotFound } from '../../core/errors.js';
import type { PostId, UserId } from '../../core/ids.js';
import type { TypedText } from '../../core/post-text/typed-text.js';
import { firstVersionId, newestVersionId, versionIds, type Post } from '../../core/post.js';
import { timeOfId } from '../../core/snowflake.js';
import type { Tx } from '../../database/engine.js';
import { findImportedObjects } from '../../stores/imports.js';
import { lockPost } from '../../stores/locks.js';
import { findPost } from '../../stores/posts.js';
import { canSeePost } from './action-rules.js';
import { addVersion } from './add-version.js';
import { requirePlace, takeMedia, taggable } from './attachments.js';
import type { CreatePostDeps } from './create-post.js';
import { maxPostWeight } from './long-text.js';
import type { PostInput } from './post-draft.js';
import { readPostInput } from './read-post-input.js';
import { requireNewText } from './recent-text.js';

/**
 * Stores a new version of the user's post in one durable transaction (docs/api/posts.md#edits). Throws 'forbidden'
 * when the post cannot be edited, or by this user, and 'resource-not-found' when it is missing or invisible.
 *
 * Each edit and each deletion changes the row of the first version, so that of two at once, the second sees the first.
 * Reposts lock the first version, and so does an edit: it marks all reposts for search, also one made at the same time.
 */
export async function editPost(
  deps: CreatePostDeps,
  principal: UserPrincipal,
  previousId: PostId,
  input: PostInput,
): Promise<Post> {
  const maxWeight = () => maxPostWeight(deps.engine, principal.userId);
  const typed = await readPostInput(deps.writer, input, maxWeight);
  return deps.engine.tx('edit post', async (tx) => {
    const previous = await requireEditable(tx, deps, principal.userId, previousId);
    await lockPost(tx, firstVersionId(previous));
    return writeVersion(tx, deps, principal, previous, input, typed);
  });
}

async function requireEditable(tx: Tx, { clock }: CreatePostDeps, userId: UserId, id: PostId): Promise<Post> {
  const post = await findPost(tx, id);
  if (!post || !(await canSeePost(tx, userId, post))) {
    const value = String(id);
    throw resourceNotFound({ resourceType: 'tweet', parameter: 'edit_options.previous_post_id', value });
  }
  if (post.authorId !== userId) throw forbidden('You are not authorized to edit this Tweet.');
  if (!isEditableKind(post) || (await isImported(tx, post)))
    throw forbidden('You are not allowed to edit this Tweet.');
  if (newestVersionId(post) !== id) throw forbidden('You can only edit the newest version of a Tweet.');
  if (editsRemaining(post) === 0) throw forbidden('You have reached the limit of edits of this Tweet.');
  if (clock() >= editableUntilMs(post)) throw forbidden('You can only edit a Tweet within 30 minutes.');
  return post;
}

/** Reports whether an import could change the post or its history. */
async function isImported(tx: Tx, { id, detail }: Post): Promise<boolean> {
  if (detail.editHistory && !detail.firstVersion) return true;
  return (await findImportedObjects(tx, 'post', [id])).size > 0;
}

async function writeVersion(
  tx: Tx,
  { ids, clock, writer }: CreatePostDeps,
  { userId, app }: UserPrincipal,
  previous: Post,
  input: PostInput,
  typed: TypedText,
): Promise<Post> {
  if (input.placeId !== undefined) await requirePlace(tx, input.placeId);
  const id = ids.next<PostId>();
  const createdAtMs = timeOfId(id) ?? clock();
  const versions = [...versionIds(previous), previous.id];
  const claim = { ids: input.mediaIds ?? [], ownerId: userId, postId: id, nowMs: createdAtMs };
  await takeMedia(tx, { ...claim, versions });
  const edited = await addVersion(tx, writer, previous, {
    id,
    createdAtMs,
    source: app.name,
    typed,
    mediaIds: input.mediaIds,
    placeId: input.placeId,
    taggedUserIds: await taggable(tx, userId, input.taggedUserIds ?? []),
    directMessageDeepLink: input.directMessageDeepLink,
    cardUri: input.cardUri,
    paidPartnership: input.paidPartnership,
    madeWithAi: input.madeWithAi,
    mediaTitle: input.mediaTitle,
    mediaDescription: input.mediaDescription,
  });
  await requireNewText(tx, edited, []);
  return edited;
}
