import { openEngine } from '../src/database/open-engine.js';
import type { Engine } from '../src/database/engine.js';
import { sql } from '../src/database/sql.js';
import { seedDatabase } from './server.js';
import { FIRST_POST_MS, FIRST_USER_ID, MINUTE_MS, postId, USERS } from './world.js';

/** The number of posts in the initial world, with users, credentials and posts of every kind. */
const SEEDED = 1_000;
/** A seeded post without attachments: the other posts are copies with their own ids and texts. */
const TEMPLATE = BigInt(postId(8));
const BATCH = 50_000;

/** Fills an empty database with the posts numbered 0 to `posts`, with counts and author lists. */
export async function fillDatabase(folder: string, url: string, posts: number): Promise<void> {
  await seedDatabase(folder, SEEDED, url);
  const engine = await openEngine(url, { durability: 'relaxed' });
  try {
    for (let first = SEEDED; first < posts; first += BATCH) {
      await copyTemplate(engine, first, Math.min(BATCH, posts - first));
    }
  } finally {
    await engine.close();
  }
}

/** One statement per table and batch: one per post would take an hour on a server. */
async function copyTemplate(engine: Engine, first: number, count: number): Promise<void> {
  const numbers = sql`numbers (n) AS (SELECT CAST(0 AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count - 1})`;
  const firstId = BigInt(postId(first));
  const step = BigInt(postId(1)) - BigInt(postId(0));
  const firstMs = FIRST_POST_MS + first * MINUTE_MS;
  const lastId = firstId + BigInt(count - 1) * step;
  await engine.tx('fill', async (tx) => {
    await tx.run(sql`
      WITH RECURSIVE ${numbers}
      INSERT INTO posts (id, author_id, created_at, conversation_id, text, lang, source, in_reply_to_post_id,
        in_reply_to_user_id, quoted_post_id, reposted_post_id, reply_settings, super_followers_only,
        possibly_sensitive, nullcast, place_id, detail)
      SELECT ${firstId} + n * ${step}, ${FIRST_USER_ID} + n % ${USERS}, ${firstMs} + n * ${MINUTE_MS},
        ${firstId} + n * ${step}, text || ' ' || CAST(n AS TEXT), lang, source, in_reply_to_post_id,
        in_reply_to_user_id, quoted_post_id, reposted_post_id, reply_settings, super_followers_only,
        possibly_sensitive, nullcast, place_id, detail
      FROM numbers, posts WHERE id = ${TEMPLATE}`);
    await tx.run(sql`
      INSERT INTO post_counts (post_id, reposts, replies, likes, quotes, bookmarks, impressions)
      SELECT id, 0, 0, 1, 0, 0, NULL FROM posts WHERE id >= ${firstId} AND id <= ${lastId}`);
    await tx.run(sql`
      INSERT INTO user_posts (user_id, post_id, created_at, is_reply, is_repost)
      SELECT author_id, id, created_at, 0, 0 FROM posts WHERE id >= ${firstId} AND id <= ${lastId}`);
  });
}
