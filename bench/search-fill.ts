import { documentOf } from '../src/services/search/document.js';
import { indexable } from '../src/services/search/post-terms.js';
import type { Post } from '../src/core/post.js';
import type { Engine, Tx } from '../src/database/engine.js';
import { sql } from '../src/database/sql.js';
import { AUTHORS, FIRST_AUTHOR_ID, searchPosts } from './search-posts.js';

/** Posts per transaction, and per statement. */
const BATCH = 2_000;
const AT_ONCE = 500;

/**
 * Fills a database that has a user with the posts of search-posts.ts, their authors, lists and counts, and indexes
 * them; returns the milliseconds spent on indexing.
 */
export async function fillSearchable(engine: Engine, posts: number): Promise<number> {
  await engine.tx('fill users', insertAuthors);
  const source = searchPosts(posts);
  let spentMs = 0;
  for (let first = 0; first < posts; first += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, posts - first) }, (_, n) => source.next(first + n));
    await engine.tx('fill posts', (tx) => insertPosts(tx, batch));
    const startMs = performance.now();
    await engine.tx('index', (tx) =>
      engine.search.put(
        tx,
        batch.map((post) => documentOf({ post: indexable(post), isAuthorVerified: false, mediaTypes: [] })),
      ),
    );
    spentMs += performance.now() - startMs;
  }
  return spentMs;
}

/** Inserts copies of an existing user. */
async function insertAuthors(tx: Tx): Promise<void> {
  const numbers = sql`numbers (n) AS (
    SELECT CAST(0 AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < ${AUTHORS - 1})`;
  await tx.run(sql`
    WITH RECURSIVE ${numbers}
    INSERT INTO users (id, username, name, created_at, description, location, url, profile_image_url, protected,
      verified, verified_type, pinned_post_id, allows_photo_tagging, receives_dms, suspended, entities, withheld)
    SELECT ${FIRST_AUTHOR_ID} + n, 'author_' || CAST(n AS TEXT), name, created_at, description, location, url,
      profile_image_url, protected, verified, verified_type, pinned_post_id, allows_photo_tagging, receives_dms,
      suspended, entities, withheld
    FROM numbers, (SELECT * FROM users ORDER BY id LIMIT 1) template`);
  await tx.run(sql`
    INSERT INTO usernames (username, user_id)
    SELECT username, id FROM users WHERE id >= ${FIRST_AUTHOR_ID} AND id < ${FIRST_AUTHOR_ID + AUTHORS}`);
  await tx.run(sql`
    INSERT INTO user_counts (user_id, followers, following, posts, listed)
    SELECT id, 0, 0, 0, 0 FROM users WHERE id >= ${FIRST_AUTHOR_ID} AND id < ${FIRST_AUTHOR_ID + AUTHORS}`);
}

async function insertPosts(tx: Tx, posts: readonly Post[]): Promise<void> {
  for (let first = 0; first < posts.length; first += AT_ONCE) {
    const rows = posts.slice(first, first + AT_ONCE).map(valuesOf);
    await tx.run(sql`
      INSERT INTO posts (id, author_id, created_at, conversation_id, text, lang, in_reply_to_user_id, reply_settings,
        super_followers_only, possibly_sensitive, nullcast, detail)
      VALUES ${rows.reduce((before, row) => sql`${before}, ${row}`)}`);
  }
  const [firstId, lastId] = [posts[0]?.id ?? 0n, posts.at(-1)?.id ?? 0n];
  await tx.run(sql`
    INSERT INTO post_counts (post_id, reposts, replies, likes, quotes, bookmarks, impressions)
    SELECT id, 0, 0, 1, 0, 0, NULL FROM posts WHERE id >= ${firstId} AND id <= ${lastId}`);
  await tx.run(sql`
    INSERT INTO user_posts (user_id, post_id, created_at, is_reply, is_repost)
    SELECT author_id, id, created_at, 0, 0 FROM posts WHERE id >= ${firstId} AND id <= ${lastId}`);
}

function valuesOf(post: Post) {
  return sql`(${post.id}, ${post.authorId}, ${post.createdAtMs}, ${post.conversationId}, ${post.text}, ${post.lang},
    ${post.inReplyToUserId}, ${post.replySettings}, 0, 0, 0, ${JSON.stringify(post.detail)})`;
}
