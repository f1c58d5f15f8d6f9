import type { UserId } from '../../core/ids.js';
import { firstVersionId, versionIds, type Post, type PostDetail } from '../../core/post.js';
import type { Tx } from '../../database/engine.js';
import { markForSearch, markRepostsForSearch } from '../../database/search-pending.js';
import type { Lookups } from '../../stores/lookups.js';
import { deleteMentionNotifications } from '../../stores/notifications.js';
import { insertMention } from '../../stores/post-links.js';
import { findPost, findPosts, insertVersion, updatePostRow } from '../../stores/posts.js';
import { replacePinnedPost } from '../../stores/users.js';
import { notifyOfPost } from '../notifications/notify.js';
import { deleteMentions, mentionedUsers } from './delete-post.js';
import type { PostDraft } from './post-draft.js';
import type { PostWriter } from './write-post.js';

/** What a new version of a post does not take from the previous one. */
export type VersionDraft = Omit<
  PostDraft,
  'authorId' | Kept | 'poll' | 'article' | 'inReplyToPostId' | 'quotedPostId'
>;

type Kept =
  | 'replySettings'
  | 'superFollowersOnly'
  | 'possiblySensitive'
  | 'nullcast'
  | 'withheld'
  | 'excludedReplyUserIds'
  | 'communityId'
  | 'sharedWithFollowers';

/**
 * Stores a new version of a post, whose media are attached already, and its history with all versions
 * (docs/api/posts.md#edits). Returns the version. Callers check permissions. `deletedQuote` is the quoted post of a version
 * that was written before the deletion of that post.
 */
export async function addVersion(
  tx: Tx,
  writer: Pick<PostWriter, 'compose'>,
  previous: Post,
  draft: VersionDraft,
  { lookups, deletedQuote }: { readonly lookups?: Lookups; readonly deletedQuote?: Post } = {},
): Promise<Post> {
  const { authorId, inReplyToPostId, quotedPostId } = previous;
  const parent = inReplyToPostId === undefined ? undefined : await findPost(tx, inReplyToPostId);
  const quoted = (quotedPostId && (await findPost(tx, quotedPostId))) ?? deletedQuote;
  const whole = { ...keptDraft(previous), ...draft, authorId };
  const { post, mentionedIds } = await writer.compose(tx, whole, { parent, quoted }, lookups);
  const edited = withHistory(post, previous);
  await storeVersion(tx, previous, edited);
  await replaceMentions(tx, previous, edited, mentionedIds);
  return edited;
}

/** Returns what an edit cannot change. Its parent and quoted post may be deleted, so the draft does not name them. */
function keptDraft(previous: Post): Pick<PostDraft, Kept> {
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

/** Notifies users that the new version mentions for the first time, and removes notifications of lost mentions. */
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
