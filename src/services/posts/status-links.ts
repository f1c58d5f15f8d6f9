import type { PostId } from '../../core/ids.js';
import { pathNameOf } from '../../core/reserved-usernames.js';
import { postIdOfStatusUrl } from '../../core/post-text/status-url.js';

const WHITE_SPACE = /\s/;

/** The link of a post here: it leads to the post by id, whatever the author is called by then. */
export function statusUrl(publicUrl: string, username: string | undefined, id: PostId): string {
  return `${publicUrl}/${pathNameOf(username)}/status/${id}`;
}

/** The post whose link, here or at the original, a text ends with. */
export function linkedPostAtEnd(text: string, publicUrl: string): PostId | undefined {
  const lastWord = text.slice(lastWordStart(text));
  return lastWord === '' ? undefined : postIdOfStatusUrl(lastWord, [withoutScheme(publicUrl)]);
}

/** Returns a text without its last word and the space before that. */
export function withoutLastWord(text: string): string {
  const start = lastWordStart(text);
  return text.slice(0, text.charAt(start - 1) === ' ' && start < text.length ? start - 1 : start);
}

/** From behind: a pattern would try every word of the text. */
function lastWordStart(text: string): number {
  let start = text.length;
  while (start > 0 && !WHITE_SPACE.test(text.charAt(start - 1))) start -= 1;
  return start;
}

/** What may stand around a link in a sentence. */
const BEFORE_LINK = new Set('("\'<[');
const AFTER_LINK = new Set(')"\'>].,;:!?');

/** The posts whose links, here or at the original, stand in a text: each once, in text order. */
export function linkedPosts(text: string, publicUrl: string): PostId[] {
  const words = text.split(/\s+/u).map(withoutMarks);
  const ids = words.map((word) => postIdOfStatusUrl(word, [withoutScheme(publicUrl)]));
  return [...new Set(ids)].filter((id) => id !== undefined);
}

function withoutMarks(word: string): string {
  let [start, end] = [0, word.length];
  while (start < end && BEFORE_LINK.has(word.charAt(start))) start += 1;
  while (end > start && AFTER_LINK.has(word.charAt(end - 1))) end -= 1;
  return word.slice(start, end);
}

/** A link as it is displayed. */
export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '');
}
