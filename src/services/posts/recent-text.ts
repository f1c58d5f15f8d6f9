import { createHash } from 'node:crypto';
import { forbidden } from '../../core/errors.js';
import { versionIds, wholeTextOf, type Post } from '../../core/post.js';
import { REFUSED } from '../../core/refused-actions.js';
import type { Tx } from '../../database/engine.js';
import { findRecentText, insertRecentText } from '../../stores/recent-texts.js';

/** The same text may be posted again after this time (docs/api/posts.md#duplicates). */
const DUPLICATE_WINDOW_MS = 24 * 60 * 60 * 1000;

/**
 * Stores a hash of the post's content. Throws 'forbidden' when the author posted the same content within the last 24
 * hours, unless in another version of the same post. Posts with different attachments differ.
 */
export async function requireNewText(tx: Tx, post: Post, pollLabels: readonly string[]): Promise<void> {
  if (await rememberText(tx, post, pollLabels)) return;
  const earlier = await findRecentText(tx, post.authorId, contentHash(post, pollLabels));
  if (earlier !== undefined && versionIds(post).includes(earlier)) return;
  throw forbidden(REFUSED.duplicate);
}

/**
 * Stores a hash of the post's content. Returns false when the author posted the same content within the last 24
 * hours; the stored hash then still refers to the earlier post.
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
  const whole = wholeTextOf(post);
  const ownLink = whole.entities?.urls?.find((url) => url.media_key !== undefined);
  const text = ownLink ? whole.text.replace(ownLink.url, '') : whole.text;
  const quoted = post.quotedPostId === undefined ? '' : String(post.quotedPostId);
  const content = JSON.stringify([text, post.detail.mediaKeys ?? [], pollLabels, quoted]);
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}
