import { createHash } from 'node:crypto';
import type { Post } from '../../core/post.js';
import type { Tx } from '../../database/engine.js';
import { insertRecentText } from '../../stores/posts.js';

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
