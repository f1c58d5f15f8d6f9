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

/** The path of a file of ours, which is there also for who reaches this server by another name. */
export function ownFilePath(url: string | undefined, publicUrl: string): string | undefined {
  return url?.startsWith(`${publicUrl}/`) === true ? url.slice(publicUrl.length) : undefined;
}
