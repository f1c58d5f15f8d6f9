import type { PostId } from '../../core/ids.js';
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

/** True for the word of a tag, without its sign. */
export function isTag(word: string): boolean {
  return /^[\p{L}\p{M}\p{N}_]{1,280}$/u.test(word);
}

/** The path of the posts with a tag. */
export function tagPath(sign: TagSign, word: string): string {
  return `/${sign === '#' ? 'hashtag' : 'cashtag'}/${encodeURIComponent(word)}`;
}

/** The path of a file of ours, which is there also for who reaches this server by another name. */
export function ownFilePath(url: string | undefined, publicUrl: string): string | undefined {
  return url?.startsWith(`${publicUrl}/`) === true ? url.slice(publicUrl.length) : undefined;
}
