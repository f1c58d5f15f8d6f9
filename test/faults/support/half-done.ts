import Database from 'better-sqlite3';

/** The invariants of complete writes: each query lists the violations of one. */
const RULES: Readonly<Record<string, string>> = {
  'a post is in its author’s list': `
    SELECT id FROM posts p WHERE NOT EXISTS
      (SELECT 1 FROM user_posts WHERE user_id = p.author_id AND post_id = p.id
        AND is_reply = (p.in_reply_to_post_id IS NOT NULL))`,
  'an author’s list has posts of the author only': `
    SELECT post_id FROM user_posts u WHERE NOT EXISTS
      (SELECT 1 FROM posts WHERE id = u.post_id AND author_id = u.user_id)`,
  'an author’s count is the number of the author’s posts': `
    SELECT u.id, c.posts, (SELECT count(*) FROM posts WHERE author_id = u.id) AS stored
    FROM users u LEFT JOIN user_counts c ON c.user_id = u.id
    WHERE coalesce(c.posts, 0) <> stored`,
  'a post’s replies are counted': `
    SELECT p.id, c.replies, (SELECT count(*) FROM posts WHERE in_reply_to_post_id = p.id) AS stored
    FROM posts p LEFT JOIN post_counts c ON c.post_id = p.id
    WHERE coalesce(c.replies, 0) <> stored`,
  'a post’s quotes are counted': `
    SELECT p.id, c.quotes, (SELECT count(*) FROM posts WHERE quoted_post_id = p.id) AS stored
    FROM posts p LEFT JOIN post_counts c ON c.post_id = p.id
    WHERE coalesce(c.quotes, 0) <> stored`,
  'only posts have counts': `
    SELECT post_id FROM post_counts WHERE post_id NOT IN (SELECT id FROM posts)`,
  'quotes are listed': `
    SELECT id FROM posts p WHERE quoted_post_id IS NOT NULL AND NOT EXISTS
      (SELECT 1 FROM quotes WHERE post_id = p.quoted_post_id AND quote_id = p.id)`,
  'what is listed as quote is one': `
    SELECT quote_id FROM quotes q WHERE NOT EXISTS
      (SELECT 1 FROM posts WHERE id = q.quote_id AND quoted_post_id = q.post_id)`,
  'a post’s poll is there': `
    SELECT p.id FROM posts p, json_each(p.detail, '$.pollIds') poll
    WHERE CAST(poll.value AS INTEGER) NOT IN (SELECT id FROM polls)`,
  'a poll has its post': `
    SELECT id FROM polls WHERE id NOT IN
      (SELECT CAST(poll.value AS INTEGER) FROM posts p, json_each(p.detail, '$.pollIds') poll)`,
  'a mention is listed': `
    SELECT p.id FROM posts p, json_each(p.detail, '$.entities.mentions') mention
    WHERE CAST(mention.value ->> 'id' AS INTEGER) <> p.author_id AND NOT EXISTS
      (SELECT 1 FROM mentions WHERE user_id = CAST(mention.value ->> 'id' AS INTEGER) AND post_id = p.id)`,
  'what is listed as mention is one': `
    SELECT m.post_id FROM mentions m WHERE NOT EXISTS
      (SELECT 1 FROM posts p, json_each(p.detail, '$.entities.mentions') mention
        WHERE p.id = m.post_id AND CAST(mention.value ->> 'id' AS INTEGER) = m.user_id)`,
  'a conversation is that of the parent': `
    SELECT p.id FROM posts p LEFT JOIN posts parent ON parent.id = p.in_reply_to_post_id
    WHERE p.conversation_id <> CASE WHEN p.in_reply_to_post_id IS NULL THEN p.id
      ELSE coalesce(parent.conversation_id, p.conversation_id) END`,
  'a remembered text is that of a post': `
    SELECT post_id FROM recent_texts WHERE post_id NOT IN (SELECT id FROM posts)`,
  'a post’s text is remembered': `
    SELECT id FROM posts WHERE id NOT IN (SELECT post_id FROM recent_texts)`,
  'what was deleted is gone': `
    SELECT post_id FROM deleted_posts WHERE post_id IN (SELECT id FROM posts)`,
};

/** Queries the database of a running server for partial writes. */
export function findHalfDone(file: string): string[] {
  const db = new Database(file, { readonly: true });
  try {
    const broken = Object.entries(RULES).flatMap(([rule, query]) => {
      const rows = db.prepare(query).safeIntegers().all() as Record<string, unknown>[];
      return rows.map((row) => `${rule}: not so for ${Object.values(row).join(', ')}`);
    });
    const integrity = db.pragma('integrity_check', { simple: true });
    return integrity === 'ok' ? broken : [...broken, `integrity check: ${String(integrity)}`];
  } finally {
    db.close();
  }
}

/** Returns the posts recorded as deleted. */
export function deletedPostIds(file: string): Set<string> {
  const db = new Database(file, { readonly: true });
  try {
    const rows = db.prepare('SELECT CAST(post_id AS TEXT) AS id FROM deleted_posts').all() as {
      id: string;
    }[];
    return new Set(rows.map((row) => row.id));
  } finally {
    db.close();
  }
}
