import type { PostId } from '../core/ids.js';
import type { Post } from '../core/post.js';

/** The posts that a post refers to, in the order of `referenced_tweets`. */
export function referencedIds(post: Post): PostId[] {
  return [post.repostedPostId, post.quotedPostId, post.inReplyToPostId].filter((id) => id !== undefined);
}

/** The other versions of an edited post. */
export function versionIds(post: Post): PostId[] {
  return (post.detail.editHistory ?? []).map((id) => BigInt(id) as PostId).filter((id) => id !== post.id);
}
