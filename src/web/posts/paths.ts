import type { PostId } from '../../core/ids.js';
import { isPlainLine } from '../../core/plain-line.js';
import { isReservedUsername, pathNameOf } from '../../core/reserved-usernames.js';

/** A user as paths name it. */
interface Named {
  readonly id: bigint | string;
  readonly username: string;
}

/** Returns the path of a user's profile page. */
export function profilePath({ id, username }: Named): string {
  return isReservedUsername(username) ? `/i/user/${id}` : `/${username}`;
}

/** Returns the path of a post's page. */
export function postPath(id: PostId | string, author: Pick<Named, 'username'> | undefined): string {
  return `/${pathNameOf(author?.username)}/status/${id}`;
}

/** Returns the path of the form to report a post or a user. */
export function reportPath(kind: 'posts' | 'users', id: string): string {
  return `/i/${kind}/${id}/report`;
}

/** The first character of a hashtag or cashtag. */
export type TagSign = '#' | '$';

/** The words of tags that search queries accept. */
const TAG_WORDS: Readonly<Record<TagSign, RegExp>> = {
  '#': /^[\p{L}\p{M}\p{N}_\u200C\u200D\u00B7\u30FB]{1,280}$/u,
  $: /^(?=.{1,280}$)[a-zA-Z][a-zA-Z0-9]*(?:[._][a-zA-Z0-9]+)*$/,
};

/** Reports whether a tag's word, without its sign, has a page: it is searchable and has no invisible characters. */
export function isTag(sign: TagSign, word: string): boolean {
  return TAG_WORDS[sign].test(word) && isPlainLine(word);
}

/** Returns the path of the page of posts with a tag. */
export function tagPath(sign: TagSign, word: string): string {
  return `/${sign === '#' ? 'hashtag' : 'cashtag'}/${encodeURIComponent(word)}`;
}

/** Returns the path of a file on this server. A path also works when the server is reached under another name. */
export function ownFilePath(url: string | undefined, publicUrl: string): string | undefined {
  return url?.startsWith(`${publicUrl}/`) === true ? url.slice(publicUrl.length) : undefined;
}
