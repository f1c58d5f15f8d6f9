import type { Article } from '../core/article.js';
import type { ArticleId, MediaId, PostId, UserId } from '../core/ids.js';
import type { Queryable, Tx } from '../database/engine.js';
import { asId, asNumber, asOptionalId, asPresentJson, asText, list, sql, toJson } from '../database/sql.js';
import { edgeList } from './edges.js';
import { countQuery, defineTable, deleteBy, listQuery, rowChange } from '../database/table.js';

/** Articles, drafts and published ones. */

const ARTICLES = defineTable<Article, ArticleId>('articles', 'id', {
  id: ['id', asId],
  authorId: ['author_id', asId],
  title: ['title', asText],
  content: ['content', asPresentJson, toJson],
  coverMediaId: ['cover_media_id', asOptionalId],
  createdAtMs: ['created_at', asNumber],
  postId: ['post_id', asOptionalId],
});

export const findArticle = ARTICLES.find;
export const insertArticle = ARTICLES.insert;
export const insertNewArticle = ARTICLES.insertNew;

/** Returns all articles of all users, oldest first. */
export function listArticlesOfAllUsers(db: Queryable): Promise<Article[]> {
  return ARTICLES.list(db, sql`1 = 1 ORDER BY id`);
}

/** Counts the drafts of an author. */
export const countDrafts = countQuery<[authorId: UserId]>('articles WHERE author_id = ? AND post_id IS NULL');

/** Records the post of an article. Returns false if the article has one. */
export const publishArticle = rowChange<[postId: PostId, id: ArticleId]>(
  'UPDATE articles SET post_id = ? WHERE id = ? AND post_id IS NULL',
);

/** Lists the posts of an author’s published articles, newest first. */
export const listPublishedArticles = edgeList<UserId, PostId>('articles', 'author_id', 'post_id', 'post_id');

export const deleteArticle = deleteBy<ArticleId>('id', 'articles');

/** Returns up to `limit` drafts of an author. */
export const listDraftIds = listQuery<ArticleId, [authorId: UserId, limit: number]>(
  asId,
  'SELECT id FROM articles WHERE author_id = ? AND post_id IS NULL LIMIT ?',
);

/** Attaches the media of a draft to its post. */
export async function moveMedia(tx: Tx, ids: readonly MediaId[], from: ArticleId, to: PostId): Promise<void> {
  if (ids.length === 0) return;
  await tx.run(sql`UPDATE media SET attached_to = ${to} WHERE id IN ${list(ids)} AND attached_to = ${from}`);
}
