import { createHash } from 'node:crypto';
import type { Post } from '../../core/post.js';
import type { Tx } from '../../database/engine.js';
import { insertRecentText } from '../../stores/posts.js';

/** The same text may be posted again after this (docs/api/posts.md#length). */
const DUPLICATE_WINDOW_MS = 24 * 60 * 60 * 1000;

/**
 * Remembers what a new post says; false when its author posted the same within the last 24 hours, and then the earlier
 * post stays the one remembered. Another attachment makes another post.
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

/** The link of the post's own media names the post, so it would make every text its own. */
function contentHash(post: Post, pollLabels: readonly string[]): string {
  const ownLink = post.detail.entities?.urls?.find((url) => url.media_key !== undefined);
  const text = ownLink ? post.text.replace(ownLink.url, '') : post.text;
  const quoted = post.quotedPostId === undefined ? '' : String(post.quotedPostId);
  const content = JSON.stringify([text, post.detail.mediaKeys ?? [], pollLabels, quoted]);
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}
