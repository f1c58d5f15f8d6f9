import type { PostId, UserId } from '../core/ids.js';
import type { Queryable, Tx } from '../database/engine.js';
import {
  insertReferences,
  insertUserPosts,
  type ImportedKind,
  type ImportedObject,
  type ListedPost,
} from './import-rows.js';
import { asBoolean, asId, asNumber, list, sql } from '../database/sql.js';
import { deleteBy, mapQuery, rowsChange } from '../database/table.js';

/** Writes that only imports do: record the origin of rows, change otherwise immutable rows, and resume. */

/** Returns the objects that came from an import, by id. The others were created here. */
export const findImportedObjects = mapQuery<bigint, ImportedObject, [ImportedKind, readonly bigint[]]>(
  (row) => [asId(row.id), { observedAtMs: asNumber(row.observed_at), isFull: asBoolean(row.is_full) }],
  'SELECT id, observed_at, is_full FROM imported_objects WHERE kind = ? AND id IN ?',
);

/** Forgets that these objects came from an import. */
export const deleteImportedObjects = rowsChange<[ImportedKind, readonly bigint[]]>(
  'DELETE FROM imported_objects WHERE kind = ? AND id IN ?',
);

/** Adds stored posts to their authors' lists and to the quotes, reposts and replies of the posts they refer to. */
export async function listPosts(tx: Tx, posts: readonly ListedPost[]): Promise<void> {
  await insertUserPosts(tx, posts);
  await insertReferences(tx, posts);
  // Reposts of quotes are listed with the quotes, whichever of the two is stored first.
  const reposts = idsWhere(posts, ({ repostedPostId }) => repostedPostId !== undefined);
  if (reposts.length > 0) {
    await tx.run(sql`
      INSERT INTO quotes (post_id, quote_id)
      SELECT q.quoted_post_id, r.id
      FROM (SELECT id, reposted_post_id FROM posts WHERE id IN ${list(reposts)}) r CROSS JOIN posts q
      WHERE q.id = r.reposted_post_id AND q.quoted_post_id IS NOT NULL
      ON CONFLICT DO NOTHING`);
  }
  const quotes = idsWhere(posts, ({ quotedPostId }) => quotedPostId !== undefined);
  if (quotes.length > 0) {
    await tx.run(sql`
      INSERT INTO quotes (post_id, quote_id)
      SELECT q.quoted_post_id, r.repost_id FROM posts q JOIN reposts r ON r.post_id = q.id
      WHERE q.id IN ${list(quotes)}
      ON CONFLICT DO NOTHING`);
  }
}

function idsWhere(posts: readonly ListedPost[], holds: (post: ListedPost) => boolean): PostId[] {
  return posts.filter(holds).map(({ id }) => id);
}

/** Removes posts from their author's list. Versions replaced by a later edit are found by id only. */
export async function unlistPosts(tx: Tx, authorId: UserId, ids: readonly PostId[]): Promise<void> {
  await tx.run(sql`DELETE FROM user_posts WHERE user_id = ${authorId} AND post_id IN ${list(ids)}`);
}

/** How far an import of a file got: lines read, and the offset of the next line in the unpacked file. */
export interface ImportMark {
  readonly lines: number;
  readonly bytes: number;
}

/** Returns the mark of an unfinished import. */
export async function findImportMark(db: Queryable, source: string): Promise<ImportMark | undefined> {
  const row = await db.get(sql`SELECT lines, bytes FROM import_marks WHERE source = ${source}`);
  return row && { lines: asNumber(row.lines), bytes: asNumber(row.bytes) };
}

export async function putImportMark(tx: Tx, source: string, mark: ImportMark): Promise<void> {
  await tx.run(sql`
    INSERT INTO import_marks (source, lines, bytes) VALUES (${source}, ${mark.lines}, ${mark.bytes})
    ON CONFLICT (source) DO UPDATE SET lines = excluded.lines, bytes = excluded.bytes`);
}

export const deleteImportMark = deleteBy<string>('source', 'import_marks');
