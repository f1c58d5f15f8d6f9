import type { UserPrincipal } from '../../core/access.js';
import { editableUntilMs, editsRemaining, isEditableKind } from '../../core/edits.js';
import { forbidden, resourceNotFound } from '../../core/errors.js';
import type { PostId, UserId } from '../../core/ids.js';
import type { TypedText } from '../../core/post-text/typed-text.js';
import { firstVersionId, newestVersionId, versionIds, type Post, type PostDetail } from '../../core/post.js';
import { timeOfId } from '../../core/snowflake.js';
import type { Tx } from '../../database/engine.js';
import { markForSearch, markRepostsForSearch } from '../../database/search-pending.js';
import { findImportedObjects } from '../../stores/imports.js';
import { deleteMentionNotifications } from '../../stores/notifications.js';
import { insertMention } from '../../stores/post-links.js';
import { findPost, findPosts, insertVersion, updatePostRow } from '../../stores/posts.js';
import { replacePinnedPost } from '../../stores/users.js';
import { canSeePost } from './action-rules.js';
import { requirePlace, takeMedia, taggable } from './attachments.js';
import { notifyOfPost } from '../notifications/notify.js';
import type { CreatePostDeps } from './create-post.js';
import { deleteMentions, mentionedUsers } from './delete-post.js';
import { maxPostWeight } from './long-text.js';
import type { PostDraft, PostInput } from './post-draft.js';
import { readPostInput } from './read-post-input.js';
import { requireNewText } from './recent-text.js';

/**
 * Stores a new version of the user's post in one durable transaction (docs/api/posts.md#edits). Throws 'forbidden'
 * when the post cannot be edited, or by this user, and 'resource-not-found' when it is missing or invisible.
 *
 * Each edit and each deletion changes the row of the first version, so that of two at once, the second sees the first.
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
  deps: CreatePostDeps,
  principal: UserPrincipal,
  previous: Post,
  input: PostInput,
  typed: TypedText,
): Promise<Post> {
  const { authorId } = previous;
  if (input.placeId !== undefined) await requirePlace(tx, input.placeId);
  const draft = {
    ...keptDraft(previous),
    ...identity(deps, principal),
    typed,
    mediaIds: input.mediaIds,
    placeId: input.placeId,
    taggedUserIds: await taggable(tx, authorId, input.taggedUserIds ?? []),
    directMessageDeepLink: input.directMessageDeepLink,
    cardUri: input.cardUri,
    paidPartnership: input.paidPartnership,
    madeWithAi: input.madeWithAi,
    mediaTitle: input.mediaTitle,
    mediaDescription: input.mediaDescription,
  };
  const versions = [...versionIds(previous), previous.id];
  const claim = { ids: input.mediaIds ?? [], ownerId: authorId, postId: draft.id, nowMs: draft.createdAtMs };
  await takeMedia(tx, { ...claim, versions });
  const { inReplyToPostId, quotedPostId } = previous;
  const parent = inReplyToPostId === undefined ? undefined : await findPost(tx, inReplyToPostId);
  const quoted = quotedPostId === undefined ? undefined : await findPost(tx, quotedPostId);
  const { post, mentionedIds } = await deps.writer.compose(tx, draft, { parent, quoted });
  const edited = withHistory(post, previous);
  await requireNewText(tx, edited, []);
  await storeVersion(tx, previous, edited);
  await replaceMentions(tx, previous, edited, mentionedIds);
  return edited;
}

function identity({ ids }: CreatePostDeps, { userId, app }: UserPrincipal) {
  const id = ids.next<PostId>();
  return { id, authorId: userId, createdAtMs: timeOfId(id) ?? 0, source: app.name };
}

/** Returns what an edit cannot change. Its parent and quoted post may be deleted, so the draft does not name them. */
function keptDraft(previous: Post): Omit<PostDraft, 'id' | 'authorId' | 'createdAtMs' | 'typed'> {
  const { replySettings, superFollowersOnly, possiblySensitive, nullcast, detail } = previous;
  const excludedReplyUserIds = detail.excludedReplyUserIds?.map((id) => BigInt(id) as UserId);
  return {
    replySettings,
    superFollowersOnly,
    possiblySensitive,
    nullcast,
    withheld: detail.withheld,
    excludedReplyUserIds,
  };
}

/** Returns the new version in its conversation and with the ids of all versions. */
function withHistory(post: Post, previous: Post): Post {
  const { conversationId, inReplyToPostId, inReplyToUserId, quotedPostId, detail } = previous;
  const firstVersion = detail.firstVersion ?? {
    id: String(previous.id),
    createdAtMs: previous.createdAtMs,
  };
  const editHistory = [...(detail.editHistory ?? [String(previous.id)]), String(post.id)];
  const kept = { conversationId, inReplyToPostId, inReplyToUserId, quotedPostId };
  const { replyLimitedBy } = detail;
  return { ...post, ...kept, detail: { ...post.detail, replyLimitedBy, editHistory, firstVersion } };
}

/** Stores the new version, and its history with all others; search finds it instead of the previous one. */
async function storeVersion(tx: Tx, previous: Post, edited: Post): Promise<void> {
  const history: PostDetail = {
    editHistory: edited.detail.editHistory,
    firstVersion: edited.detail.firstVersion,
  };
  for (const version of (await findPosts(tx, versionIds(edited))).values()) {
    await updatePostRow(tx, version.id, { ...version, detail: { ...version.detail, ...history } });
  }
  await insertVersion(tx, edited);
  await markForSearch(tx, [previous]);
  await markRepostsForSearch(tx, [firstVersionId(edited)]);
  await replacePinnedPost(tx, edited.authorId, previous.id, edited.id);
}

/** Lists the first version among the mentions of the users that the new one mentions. */
async function replaceMentions(
  tx: Tx,
  previous: Post,
  edited: Post,
  mentionedIds: ReadonlySet<UserId>,
): Promise<void> {
  const firstId = firstVersionId(edited);
  await deleteMentions(tx, previous, firstId);
  const createdAtMs = edited.detail.firstVersion?.createdAtMs ?? edited.createdAtMs;
  for (const userId of mentionedIds) {
    if (userId !== edited.authorId) await insertMention(tx, userId, firstId, createdAtMs);
  }
  await replaceNotifications(tx, previous, edited, mentionedIds);
}

/** Notifies those whom the new version mentions for the first time; who is no longer mentioned has no notification. */
async function replaceNotifications(
  tx: Tx,
  previous: Post,
  edited: Post,
  mentionedIds: ReadonlySet<UserId>,
): Promise<void> {
  const id = firstVersionId(edited);
  const lost = mentionedUsers(previous).filter((userId) => !mentionedIds.has(userId));
  await deleteMentionNotifications(tx, id, lost);
  await notifyOfPost(tx, { ...edited, id, inReplyToUserId: undefined }, mentionedIds);
}
