import { parseId, type PostId } from '../../core/ids.js';

const WHITE_SPACE = /\s/;

/** Returns the id of the post whose link, on this server or on X, ends a text. */
export function linkedPostAtEnd(text: string, publicUrl: string): PostId | undefined {
  const lastWord = text.slice(lastWordStart(text));
  return lastWord === '' ? undefined : postIdOfStatusUrl(lastWord, [withoutScheme(publicUrl)]);
}

/** Reports whether the last word of a text is the link that a server adds for a quoted post: it links to itself only. */
export function endsWithLinkTo(text: string, id: PostId): boolean {
  const lastWord = text.slice(lastWordStart(text));
  return lastWord.endsWith(`/status/${id}`) && postIdOfStatusUrl(lastWord) === undefined;
}

/** Returns a text without its last word and the space before it. */
export function withoutLastWord(text: string): string {
  const start = lastWordStart(text);
  return text.slice(0, text.charAt(start - 1) === ' ' && start < text.length ? start - 1 : start);
}

/** Scans from the end in linear time; a regular expression would try every word. */
function lastWordStart(text: string): number {
  let start = text.length;
  while (start > 0 && !WHITE_SPACE.test(text.charAt(start - 1))) start -= 1;
  return start;
}

/** Punctuation that may surround a link. */
const BEFORE_LINK = new Set('("\'<[');
const AFTER_LINK = new Set(')"\'>].,;:!?');

/** Returns the ids of the posts linked in a text, on this server or on X, in text order without duplicates. */
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

/** Returns a link without its scheme, as displayed. */
export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '');
}

const ORIGINAL_HOSTS: readonly string[] = ['twitter.com', 'x.com'];
const STATUS_URL =
  /^(?:https?:\/\/)?(?:(?:www|mobile)\.)?([^/?#]+)\/(?:[a-zA-Z0-9_]{1,20}|i\/web)\/status(?:es)?\/([0-9]{1,19})(?:[/?#]|$)/i;

/**
 * Returns the id of the post that a link points to: `https://(twitter|x).com/<user>/status/<id>`, also under
 * `www.` and `mobile.`, with a longer path, query or fragment, or without a scheme. `ownHosts` are further hosts,
 * with their port unless it is the default. Returns undefined for any other link.
 */
export function postIdOfStatusUrl(url: string, ownHosts: readonly string[] = []): PostId | undefined {
  const [, host, id] = STATUS_URL.exec(url) ?? [];
  if (host === undefined || id === undefined) return undefined;
  const known = [...ORIGINAL_HOSTS, ...ownHosts].some((own) => withoutPrefix(own) === host.toLowerCase());
  return known ? parseId<PostId>(id) : undefined;
}

function withoutPrefix(host: string): string {
  return host.toLowerCase().replace(/^(?:www|mobile)\./, '');
}
