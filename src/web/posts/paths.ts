import type { PostId } from '../../core/ids.js';
import { isPlainLine } from '../../core/plain-line.js';
import { isReservedUsername, pathNameOf } from '../../core/reserved-usernames.js';
import type { User } from '../../core/user.js';

/** The path of a user's page. */
export function profilePath({ id, username }: Pick<User, 'id' | 'username'>): string {
  return isReservedUsername(username) ? `/i/user/${id}` : `/${username}`;
}

/** The path of a post's page. */
export function postPath(id: PostId, author: Pick<User, 'username'> | undefined): string {
  return `/${pathNameOf(author?.username)}/status/${id}`;
}

/** What begins a hashtag or a cashtag. */
export type TagSign = '#' | '$';

/** The words of tags that a query can search for. */
const TAG_WORDS: Readonly<Record<TagSign, RegExp>> = {
  '#': /^[\p{L}\p{M}\p{N}_\u200C\u200D\u00B7\u30FB]{1,280}$/u,
  $: /^(?=.{1,280}$)[a-zA-Z][a-zA-Z0-9]*(?:[._][a-zA-Z0-9]+)*$/,
};

/** True for the word of a tag, without its sign, that has a page: nothing in it is invisible. */
export function isTag(sign: TagSign, word: string): boolean {
  return TAG_WORDS[sign].test(word) && isPlainLine(word);
}

/** The path of the posts with a tag. */
export function tagPath(sign: TagSign, word: string): string {
  return `/${sign === '#' ? 'hashtag' : 'cashtag'}/${encodeURIComponent(word)}`;
}

/** The path of a file of ours, which is there also for who reaches this server by another name. */
export function ownFilePath(url: string | undefined, publicUrl: string): string | undefined {
  return url?.startsWith(`${publicUrl}/`) === true ? url.slice(publicUrl.length) : undefined;
}
