import type { PostId, UserId } from '../core/ids.js';
import type { Post } from '../core/post.js';
import { PostSet } from './hydrate/posts.js';
import type { ViewDeps } from './post-page.js';

export interface VisiblePostsRequest {
  readonly ids: readonly PostId[];
  readonly viewerId: UserId;
  /** If true, only posts of the viewer's home timeline. */
  readonly isHome?: boolean;
}

/** Returns the posts with these ids that the viewer may see. */
export function findVisiblePosts(
  { reads }: ViewDeps,
  { ids, viewerId, isHome = false }: VisiblePostsRequest,
): Promise<Post[]> {
  const posts = new PostSet(reads, viewerId);
  return posts.complete(() =>
    ids.flatMap((id) => {
      const post = posts.find(id);
      if (!post || posts.visibility(post) !== 'visible') return [];
      return isHome && !posts.belongsHome(posts.originOf(post)) ? [] : [post];
    }),
  );
}
