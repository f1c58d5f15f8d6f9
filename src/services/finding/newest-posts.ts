import type { PostId } from '../../core/ids.js';
import { isReply, newestVersionId, type Post } from '../../core/post.js';
import type { Engine } from '../../database/engine.js';
import { listNewestPosts } from '../../stores/posts.js';
import { findAccountStates } from '../../stores/users.js';

const CHUNK = 200;

/** The posts that are read for one page; on a server whose newest posts are replies, a page has fewer. */
const MAX_READ = 2_000;

export type NewestPostService = ReturnType<typeof createNewestPostService>;

/** Creates the service for the newest public posts of all users (docs/api/pipit.md#newest-posts). */
export function createNewestPostService({ engine }: { readonly engine: Engine }) {
  return {
    /**
     * Lists up to `limit` posts with ids up to `upTo` that everybody may read, newest first, without replies and
     * reposts. What a viewer may not see beyond that is left to the view.
     */
    list: async (upTo: bigint, limit: number): Promise<PostId[]> => {
      const found: PostId[] = [];
      let last = upTo;
      for (let read = 0; read < MAX_READ && found.length < limit; read += CHUNK) {
        const posts = await listNewestPosts(engine, { above: -1n, upTo: last }, CHUNK);
        const states = await findAccountStates(engine, [...new Set(posts.map(({ authorId }) => authorId))]);
        const shown = posts.filter((post) => {
          const author = states.get(post.authorId);
          return isForAll(post) && author?.protected === false && !author.suspended;
        });
        found.push(...shown.map(({ id }) => id));
        if (posts.length < CHUNK) break;
        last = (posts.at(-1)?.id ?? 1n) - 1n;
      }
      return found.slice(0, limit);
    },
  };
}

function isForAll(post: Post): boolean {
  const { repostedPostId, superFollowersOnly, nullcast } = post;
  const isOwn = repostedPostId === undefined && !isReply(post);
  return isOwn && !superFollowersOnly && !nullcast && newestVersionId(post) === post.id;
}
