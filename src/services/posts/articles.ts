import type { UserPrincipal } from '../../core/access.js';
import { articleMedia, plainArticle, type Article, type ArticleInput } from '../../core/article.js';
import { forbidden, invalidRequest, resourceNotFound } from '../../core/errors.js';
import type { ArticleId, PostId, UserId } from '../../core/ids.js';
import { ARTICLE_LIMITS } from '../../core/limits.js';
import { isPostMedia } from '../../core/media.js';
import { normalizePostText } from '../../core/post-text/normalize.js';
import type { Post, PostArticle } from '../../core/post.js';
import { timeOfId } from '../../core/snowflake.js';
import type { PageRequest } from '../../core/page.js';
import type { Tx } from '../../database/engine.js';
import {
  countDrafts,
  deleteArticle,
  findArticle,
  insertArticle,
  listDraftIds,
  listPublishedArticles,
  moveMedia,
  publishArticle,
} from '../../stores/articles.js';
import { lockUsers } from '../../stores/locks.js';
import { attachMedia, detachMedia, findMedia } from '../../stores/media.js';
import { refuseContent } from './article-rules.js';
import type { CreatePostDeps } from './create-post.js';

export type ArticleService = ReturnType<typeof createArticleService>;

type ArticleDeps = Pick<CreatePostDeps, 'engine' | 'ids' | 'clock' | 'writer'>;

/** Creates the service that drafts and publishes articles (docs/api/posts.md#articles). */
export function createArticleService(deps: ArticleDeps) {
  return {
    /**
     * Stores a draft with its media. Throws 'invalid-request' for content or media that cannot be published, and
     * 'forbidden' when the author has too many drafts.
     */
    draft: ({ userId }: UserPrincipal, input: ArticleInput): Promise<Article> => {
      const article = { ...input, title: normalizePostText(input.title) };
      refuseContent(article);
      return deps.engine.tx('draft article', (tx) => storeDraft(tx, deps, userId, article));
    },
    /**
     * Publishes a draft as a post. Throws 'resource-not-found' unless it is an article of the user, and 'forbidden'
     * when it is published already.
     */
    publish: (principal: UserPrincipal, id: ArticleId): Promise<Post> =>
      deps.engine.tx('publish article', (tx) => publish(tx, deps, principal, id)),
    /** Lists the posts of an author’s published articles, newest first, without visibility filtering. */
    listPublished: (authorId: UserId, request: PageRequest) =>
      listPublishedArticles(deps.engine, authorId, request),
  };
}

async function storeDraft(
  tx: Tx,
  { ids, clock }: ArticleDeps,
  authorId: UserId,
  input: ArticleInput,
): Promise<Article> {
  // Two drafts at once must not exceed the limit together.
  await lockUsers(tx, [authorId]);
  if ((await countDrafts(tx, authorId)) >= ARTICLE_LIMITS.drafts) {
    throw forbidden(`You may have at most ${ARTICLE_LIMITS.drafts} drafts of Articles.`);
  }
  const id = ids.next<ArticleId>();
  const article = { ...input, id, authorId, createdAtMs: timeOfId(id) ?? 0 };
  await insertArticle(tx, article);
  const mediaIds = articleMedia(article);
  const media = await findMedia(tx, mediaIds);
  for (const mediaId of mediaIds) {
    const mediaKey = media.get(mediaId)?.mediaKey;
    const claim = { id: mediaId, ownerId: authorId, attachTo: id, nowMs: clock() };
    const isUsable = mediaKey !== undefined && isPostMedia(mediaKey) && (await attachMedia(tx, claim));
    if (!isUsable) {
      throw invalidRequest('media_id', [String(mediaId)], 'Your media IDs are invalid.');
    }
  }
  return article;
}

async function publish(
  tx: Tx,
  { ids, writer }: ArticleDeps,
  { userId, app }: UserPrincipal,
  articleId: ArticleId,
): Promise<Post> {
  const article = await findArticle(tx, articleId);
  if (article?.authorId !== userId) {
    throw resourceNotFound({ resourceType: 'article', parameter: 'article_id', value: String(articleId) });
  }
  const id = ids.next<PostId>();
  if (!(await publishArticle(tx, id, articleId))) throw forbidden('This Article is published already.');
  const shown = await postArticle(tx, article);
  await moveMedia(tx, articleMedia(article), articleId, id);
  const { lang } = writer.read(shown.plainText === '' ? article.title : shown.plainText);
  const typed = writer.read(article.title, lang);
  const createdAtMs = timeOfId(id) ?? 0;
  const draft = { id, authorId: userId, createdAtMs, typed, source: app.name, article: shown };
  // Several articles may have the same title, so no text is compared.
  return writer.write(tx, draft, {}, () => Promise.resolve());
}

/** Returns an article as its post shows it. Its media must be stored. */
export async function postArticle(tx: Tx, article: Article): Promise<PostArticle> {
  const media = await findMedia(tx, articleMedia(article));
  const { id, title, content, coverMediaId } = article;
  const keys = [...media.values()].filter((each) => each.id !== coverMediaId).map(({ mediaKey }) => mediaKey);
  return {
    id: String(id),
    title,
    plainText: plainArticle(content),
    coverMediaKey: coverMediaId === undefined ? undefined : media.get(coverMediaId)?.mediaKey,
    mediaKeys: keys,
  };
}

/** Deletes up to `limit` drafts of a user with their media. Returns how many there were. */
export async function removeDrafts(tx: Tx, authorId: UserId, limit: number): Promise<number> {
  const ids = await listDraftIds(tx, authorId, limit);
  for (const id of ids) {
    const article = await findArticle(tx, id);
    for (const mediaId of article ? articleMedia(article) : []) await detachMedia(tx, mediaId, id);
    await deleteArticle(tx, id);
  }
  return ids.length;
}
