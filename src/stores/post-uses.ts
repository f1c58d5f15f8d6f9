import type { PostId } from '../core/ids.js';
import type { Post } from '../core/post.js';
import type { Queryable } from '../database/engine.js';
import { asId, list, sql, statement } from '../database/sql.js';
import { listQuery } from '../database/table.js';

type PostIds = [ids: readonly PostId[]];

/** Returns the replies to these posts. */
export const listRepliesTo = usesIn('replies', 'reply_id');
/** Returns the quotes of these posts, and the reposts of these quotes. */
export const listQuotesOf = usesIn('quotes', 'quote_id');
/** Returns the reposts of these posts. */
export const listRepostsOf = usesIn('reposts', 'repost_id');

function usesIn(table: string, column: string) {
  const query = statement(`SELECT post_id, ${column} AS by_id FROM ${table} WHERE post_id IN ?`);
  return async (db: Queryable, ids: readonly PostId[]) => {
    const rows = await db.all(query(list(ids)));
    return rows.map((row) => ({ postId: asId<PostId>(row.post_id), byId: asId<PostId>(row.by_id) }));
  };
}

/** Returns those of the posts that people like. */
export const likedPosts = listQuery<PostId, PostIds>(
  asId,
  'SELECT DISTINCT post_id FROM likes WHERE post_id IN ?',
);

/** Returns those of the posts that people have bookmarked. Has no index: reads all bookmarks. */
export const bookmarkedPosts = listQuery<PostId, PostIds>(
  asId,
  'SELECT DISTINCT post_id FROM bookmarks WHERE post_id IN ?',
);

/** Returns those of the posts that are shared in Spaces. Has no index. */
export const postsInSpaces = listQuery<PostId, PostIds>(
  asId,
  'SELECT DISTINCT post_id FROM space_posts WHERE post_id IN ?',
);

/** Returns those of the posts that are reported, and about which operators have not decided. */
export const reportedPosts = listQuery<PostId, PostIds>(
  asId,
  `SELECT target_id FROM report_cases WHERE target_id IN ? AND kind = 'post' AND closed_at IS NULL`,
);

/** Returns those of the polls in which people have voted. */
export const votedPolls = listQuery<bigint, [ids: readonly bigint[]]>(
  asId,
  'SELECT DISTINCT poll_id FROM poll_votes WHERE poll_id IN ?',
);

/** Returns the posts that the authors of these posts show on their profiles. */
export async function pinnedByAuthors(
  db: Queryable,
  posts: readonly Pick<Post, 'authorId'>[],
): Promise<PostId[]> {
  const authorIds = [...new Set(posts.map(({ authorId }) => authorId))];
  const rows = await db.all(sql`
    SELECT pinned_post_id FROM users WHERE id IN ${list(authorIds)} AND pinned_post_id IS NOT NULL`);
  return rows.map((row) => asId(row.pinned_post_id));
}
