import type { PostId } from '../../core/ids.js';
import { postIdOfStatusUrl } from '../../core/post-text/status-url.js';

/** The link of a post here: it leads to the post by id, whatever the author is called by then. */
export function statusUrl(publicUrl: string, username: string | undefined, id: PostId): string {
  return `${publicUrl}/${username ?? 'i'}/status/${id}`;
}

/** The post whose link, here or at the original, a text ends with. */
export function linkedPostAtEnd(text: string, publicUrl: string): PostId | undefined {
  const lastWord = /\S+$/u.exec(text)?.[0];
  return lastWord === undefined ? undefined : postIdOfStatusUrl(lastWord, [withoutScheme(publicUrl)]);
}

/** What may stand around a link in a sentence. */
const AROUND_LINK = /^[("'<[]+|[)"'>\].,;:!?]+$/g;

/** The posts whose links, here or at the original, stand in a text: each once, in text order. */
export function linkedPosts(text: string, publicUrl: string): PostId[] {
  const words = text.split(/\s+/u).map((word) => word.replace(AROUND_LINK, ''));
  const ids = words.map((word) => postIdOfStatusUrl(word, [withoutScheme(publicUrl)]));
  return [...new Set(ids)].filter((id) => id !== undefined);
}

/** A link as it is displayed. */
export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '');
}
