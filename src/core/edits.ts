import type { Post } from './post.js';

/** The rules of editing (docs/api/posts.md#edits). */

const EDIT_WINDOW_MS = 30 * 60 * 1000;
/** How often a post can be edited. */
export const MAX_EDITS = 5;

/** Reports whether posts of this kind can be edited: polls, articles, replies to others, reposts and others cannot. */
export function isEditableKind({ authorId, inReplyToUserId, repostedPostId, detail }: Post): boolean {
  const isReplyToOther = inReplyToUserId !== undefined && inReplyToUserId !== authorId;
  if (detail.article ?? detail.communityId) return false;
  return !detail.pollIds && !isReplyToOther && repostedPostId === undefined;
}

/** Returns the time from which a post can no longer be edited: it counts from the first version. */
export function editableUntilMs({ createdAtMs, detail: { firstVersion } }: Post): number {
  return (firstVersion?.createdAtMs ?? createdAtMs) + EDIT_WINDOW_MS;
}

export function editsRemaining({ detail: { editHistory } }: Post): number {
  return Math.max(0, MAX_EDITS + 1 - (editHistory?.length ?? 1));
}
