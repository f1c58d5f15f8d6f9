import type { Post } from '../../core/post.js';

const STATUS_LINK = /^https?:\/\/\S+\/status\/([0-9]{1,19})(?:\/(?:photo|video)\/1)?$/;

/**
 * Returns the text of a post without the links to its media and quoted post that the server appended
 * (posts/compose-text.ts). Those links are indexed as URLs only.
 */
export function ownWords(post: Post): string {
  const { id, quotedPostId, detail } = post;
  let { text } = post;
  if (quotedPostId === undefined && detail.mediaKeys === undefined) return text;
  for (;;) {
    const start = text.lastIndexOf(' ') + 1;
    const linked = STATUS_LINK.exec(text.slice(start))?.[1];
    if (linked !== String(id) && linked !== String(quotedPostId)) return text;
    text = text.slice(0, Math.max(0, start - 1));
  }
}
