import type { Post } from '../../core/post.js';

const STATUS_LINK = /^https?:\/\/\S+\/status\/([0-9]{1,19})(?:\/(?:photo|video)\/1)?$/;

/**
 * The text of a post without the links behind it that lead to its media or to what it quotes, which the server adds
 * (posts/compose-text.ts): nobody wrote their words. They are found as links.
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
