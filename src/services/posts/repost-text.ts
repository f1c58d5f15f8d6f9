import type { Entities } from '../../core/entities.js';
import { escapeText } from '../../core/post-text/escape.js';
import type { Post } from '../../core/post.js';

/**
 * The maximum length of a repost's text; a known defect of X, kept (docs/api/posts.md#replies-quotes-and-reposts).
 */
const MAX_CHARACTERS = 140;

/**
 * Returns `RT @author: text`, truncated to 140 code points, with a mention of the author and the original's entities
 * that fit, shifted by the prefix.
 */
export function repostText(original: Post, username: string): { text: string; entities: Entities } {
  const prefix = `RT @${username}: `;
  const characters = Array.from(prefix + original.text);
  const isCut = characters.length > MAX_CHARACTERS;
  const text = isCut ? `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…` : characters.join('');
  const shift = prefix.length;
  const end = isCut ? Array.from(escapeText(text)).length - 1 : Infinity;
  const moved = <T extends { start: number; end: number }>(
    items: readonly T[] | undefined,
  ): T[] | undefined => {
    const kept = (items ?? [])
      .map((item) => ({ ...item, start: item.start + shift, end: item.end + shift }))
      .filter((item) => item.end <= end);
    return kept.length > 0 ? kept : undefined;
  };
  const { hashtags, cashtags, mentions, urls } = original.detail.entities ?? {};
  const author = { start: 3, end: 4 + username.length, username, id: String(original.authorId) };
  return {
    text,
    entities: {
      mentions: [author, ...(moved(mentions) ?? [])],
      hashtags: moved(hashtags),
      cashtags: moved(cashtags),
      urls: moved(urls),
    },
  };
}
