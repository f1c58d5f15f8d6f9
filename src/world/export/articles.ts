import type { Queryable } from '../../database/engine.js';
import { listArticlesOfAllUsers } from '../../stores/articles.js';
import { findMedia } from '../../stores/media.js';
import { entryOf, timeBeside, type Entry } from './entry.js';
import type { Names } from './names.js';

/** Returns the articles, drafts and published ones. The posts of the latter name them. */
export async function exportArticles(db: Queryable, names: Names): Promise<Entry[]> {
  const articles = await listArticlesOfAllUsers(db);
  const covers = await findMedia(
    db,
    articles.flatMap(({ coverMediaId }) => coverMediaId ?? []),
  );
  return articles.flatMap(({ id, authorId, title, content, coverMediaId, createdAtMs }) => {
    const author = names.find(authorId);
    if (author === undefined) return [];
    return [
      entryOf({
        id: String(id),
        author,
        title,
        content_state: content,
        cover_media: coverMediaId === undefined ? undefined : covers.get(coverMediaId)?.mediaKey,
        created_at: timeBeside(id, createdAtMs),
      }),
    ];
  });
}
