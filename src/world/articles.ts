import { articleMedia, type Article } from '../core/article.js';
import { articleContent } from '../core/article-shape.js';
import { PipitError } from '../core/errors.js';
import type { ArticleId, MediaId, UserId } from '../core/ids.js';
import { ARTICLE_LIMITS } from '../core/limits.js';
import { isPostMedia } from '../core/media.js';
import { normalizePostText } from '../core/post-text/normalize.js';
import { mediaIdOfKey } from '../core/post.js';
import { timeOfId } from '../core/snowflake.js';
import * as v from '../core/validators.js';
import { refuseContent } from '../services/posts/article-rules.js';
import { findArticle, insertNewArticle } from '../stores/articles.js';
import { attachMedia } from '../stores/media.js';
import { referencesIn, type Known } from './known.js';
import { mediaKey } from './media-key.js';
import { checkMediaUses, type WorldMedia } from './media.js';
import { requireUnique, type Check, type Load } from './pass.js';
import { versionsOf, type WorldPost } from './post-entry.js';
import { mediaUsesOf } from './post-media.js';
import { idOf, listOf, objectOf } from './readers.js';
import { username } from './users.js';
import { worldTime } from './world-time.js';

const article = objectOf({
  id: v.required(idOf<ArticleId>()),
  author: v.required(username),
  title: v.required(v.text({ min: 1, max: ARTICLE_LIMITS.title })),
  content_state: v.required(articleContent),
  cover_media: mediaKey,
  created_at: worldTime,
});
export type WorldArticle = v.ValueOf<typeof article>;

/** Reads the section of articles and checks each entry alone, by the rules of the interface. */
export const readArticles = v.refined(listOf(article), (articles, _path, faults) => {
  for (const entry of articles) checkContent(entry, faults);
  return articles;
});

function checkContent(entry: WorldArticle, faults: v.FaultSink): void {
  try {
    refuseContent(contentOf(entry));
  } catch (error) {
    if (!(error instanceof PipitError) || error.failure.code !== 'invalid-request') throw error;
    for (const { parameters, message } of error.failure.violations) {
      const [place = '$'] = Object.keys(parameters);
      faults.add(entry.path + place.slice(1), message.replace(`${place}: `, ''));
    }
  }
  if (entry.cover_media !== undefined && !isPostMedia(entry.cover_media))
    faults.add(`${entry.path}.cover_media`, 'is for messages (5_) or profiles (19_)');
}

function contentOf({ title, content_state: content, cover_media: cover }: WorldArticle) {
  const coverMediaId = cover === undefined ? undefined : mediaIdOfKey(cover);
  return { title: normalizePostText(title), content, coverMediaId };
}

interface File {
  readonly articles: readonly WorldArticle[];
  readonly posts: readonly WorldPost[];
  readonly media: readonly WorldMedia[];
}

/** Checks that authors and media exist, that a stored article is the same author's, and that posts publish articles. */
export async function checkArticles({ articles, posts, media }: File, check: Check): Promise<void> {
  const { known, faults } = check;
  requireUnique(articles, 'id', ({ id }) => id, faults);
  await known.requireUsers(referencesIn(articles, 'author'), faults);
  const uses = articleMediaUses(articles);
  await known.requireMedia(uses, faults);
  const usesOfPosts = mediaUsesOf(versionsOf(posts)).map(({ name, path }) => [name, path] as const);
  checkMediaUses(uses, media, faults, new Map(usesOfPosts));
  for (const { id, author, path } of articles) {
    const stored = await findArticle(known.db, id);
    if (stored && stored.authorId !== known.findUserId(author))
      faults.add(`${path}.id`, `is an article of user ${stored.authorId} in the database`);
  }
  checkPublished(articles, posts, check);
}

function checkPublished(
  articles: readonly WorldArticle[],
  posts: readonly WorldPost[],
  { faults }: Check,
): void {
  const authors = new Map(articles.map(({ id, author }) => [id, author.toLowerCase()]));
  const publishing = posts.filter((post) => post.article !== undefined);
  requireUnique(publishing, 'article', (post) => post.article, faults);
  for (const { article: id, author, path } of publishing) {
    const written = id === undefined ? undefined : authors.get(id);
    if (written === undefined) faults.add(`${path}.article`, `no article ${id} in this file`);
    else if (written !== author.toLowerCase()) faults.add(`${path}.article`, `is by @${written}`);
  }
}

function articleMediaUses(articles: readonly WorldArticle[]) {
  return articles.flatMap((entry) =>
    articleMedia(contentOf(entry)).map((name) => ({
      by: entry.author,
      name,
      path: placeOfMedia(entry, name),
    })),
  );
}

function placeOfMedia(
  { path, cover_media: cover, content_state: { entities } }: WorldArticle,
  id: MediaId,
): string {
  if (cover !== undefined && mediaIdOfKey(cover) === id) return `${path}.cover_media`;
  const at = entities.findIndex(({ value }) =>
    value.data.media_items?.some((item) => BigInt(item.media_id) === id),
  );
  return `${path}.content_state.entities[${at}].value.data.media_items`;
}

/** Returns the author of the article that shows each medium. */
export function articleMediaOwners(
  articles: readonly WorldArticle[],
  known: Known,
): (readonly [MediaId, UserId])[] {
  return articleMediaUses(articles).map(({ by, name }) => [name, known.userId(by)]);
}

/** Returns an article of the file; its post is set when it is stored. */
export function asArticle(entry: WorldArticle, { known, nowMs }: Load): Article {
  return {
    ...contentOf(entry),
    id: entry.id,
    authorId: known.userId(entry.author),
    createdAtMs: entry.created_at?.at(nowMs) ?? timeOfId(entry.id) ?? nowMs,
  };
}

/** Attaches the media of an article to its post, or to itself while it is a draft. */
async function takeArticleMedia(entry: WorldArticle, attachTo: bigint, load: Load): Promise<void> {
  const { tx, known, nowMs, faults } = load;
  for (const { by, name, path } of articleMediaUses([entry])) {
    const claim = { id: name, ownerId: known.userId(by), attachTo, nowMs };
    if (!(await attachMedia(tx, claim))) faults.add(path, 'is in use or another user’s in the database');
  }
}

/** Stores the articles that are not in the database. Their posts must be stored. */
export async function storeArticles({ articles, posts }: File, load: Load): Promise<void> {
  const publishedBy = new Map(posts.map((post) => [post.article, post.id]));
  for (const entry of articles) {
    const postId = publishedBy.get(entry.id);
    if (!(await insertNewArticle(load.tx, { ...asArticle(entry, load), postId }))) continue;
    await takeArticleMedia(entry, postId ?? entry.id, load);
    load.added('articles');
  }
}
