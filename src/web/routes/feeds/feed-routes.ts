import { createHash } from 'node:crypto';
import { Answer } from '../../../http/answer.js';
import { isNamedIn } from '../../../http/entity-tag.js';
import type { Visit } from '../../visit.js';
import type { CreateRoutes, WebContext } from '../../web-context.js';
import { listPath } from '../lists/list-objects.js';
import { publicPage } from '../posts/public-pages.js';
import { feedDocument, FORMATS, type Feed, type Format } from './feed-formats.js';
import { listFeed, profileFeed, searchFeed } from './feed-sources.js';

/** The pages that have feeds, by their paths. */
const SOURCES = {
  '/search': searchFeed,
  '/{username}': profileFeed,
  [listPath('{id}')]: listFeed,
} as const;

/** Public posts for feed readers, which are visitors: `feed.atom` and `feed.rss` below profiles, Lists and `/search`. */
export const feedRoutes: CreateRoutes = (pages, context) =>
  (Object.keys(FORMATS) as Format[]).flatMap((format) =>
    Object.entries(SOURCES).map(([path, read]) =>
      publicPage(pages, context, `${path}/feed.${format}`, async (visit) =>
        answer(visit, format, await read(visit, context), context),
      ),
    ),
  );

function answer({ request }: Visit, format: Format, feed: Feed, { isOpen }: WebContext): Answer {
  const { type } = FORMATS[format];
  const body = feedDocument(format, feed);
  // Weak, because its encodings differ in their bytes.
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  // Where visitors must sign in, no shared cache may keep what a signed-in reader gets.
  const cacheControl = isOpen ? 'public, max-age=60' : 'private, no-cache';
  const headers = { etag, 'cache-control': cacheControl, 'x-content-type-options': 'nosniff' };
  if (isNamedIn(request.headers['if-none-match'], etag)) return new Answer(304, Buffer.alloc(0), headers);
  return new Answer(200, Buffer.from(body), { ...headers, 'content-type': type });
}
