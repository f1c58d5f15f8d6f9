import { createHash } from 'node:crypto';
import { html, Html } from '../../api/reference/html.js';
import { PipitError } from '../../core/errors.js';
import { Answer } from '../../http/answer.js';
import { POST_SELECTION } from '../api/fields.js';
import type { WirePost, WireUser } from '../api/objects.js';
import { cardsOf, cardsOfIds, type PostCard } from '../posts/load-cards.js';
import { postPath, profilePath } from '../posts/paths.js';
import { textOfPost } from '../posts/post-card.js';
import { plainText, richText, titleText } from '../posts/rich-text.js';
import { shownName } from '../shown-name.js';
import type { Visit } from '../visit.js';
import type { CreateRoutes, WebContext } from '../web-context.js';
import { FIRST_TIME, POSTS_PER_PAGE, publicPage } from './posts/public-pages.js';

/** The formats of feeds: Atom (RFC 4287) and RSS 2.0 (rssboard.org/rss-specification). */
const FORMATS = {
  atom: { type: 'application/atom+xml; charset=utf-8', render: atomOf },
  rss: { type: 'application/rss+xml; charset=utf-8', render: rssOf },
} as const;

type Format = keyof typeof FORMATS;

/** Public posts for feed readers, which are visitors: `feed.atom` and `feed.rss` below a profile and below `/search`. */
export const feedRoutes: CreateRoutes = (pages, context) =>
  (Object.keys(FORMATS) as Format[]).flatMap((format) => [
    publicPage(pages, context, `/search/feed.${format}`, async (visit) =>
      answer(visit, format, await searchFeed(visit, context), context),
    ),
    publicPage(pages, context, `/{username}/feed.${format}`, async (visit) =>
      answer(visit, format, await profileFeed(visit, context), context),
    ),
  ]);

interface Feed {
  readonly title: string;
  /** The URL of the page that shows the same. */
  readonly pageUrl: string;
  readonly ownUrl: string;
  readonly publicUrl: string;
  readonly cards: readonly PostCard[];
}

async function profileFeed({ api, request }: Visit, { publicUrl }: WebContext): Promise<Feed> {
  const asVisitor = api.asApp();
  const username = request.path['username'] ?? '';
  const { data: user } = await asVisitor.call<WireUser>('findUserByUsername', { username });
  if (!user) throw new PipitError({ code: 'route-not-found' });
  const found = await asVisitor.call<WirePost[]>('usersIdTweets', {
    id: user.id,
    max_results: POSTS_PER_PAGE,
    ...POST_SELECTION,
  });
  return {
    title: `${shownName(user)} (@${user.username})`,
    pageUrl: publicUrl + profilePath(user),
    ownUrl: publicUrl + request.url,
    publicUrl,
    cards: await cardsOf(asVisitor, found),
  };
}

async function searchFeed({ api, query, request }: Visit, { publicUrl }: WebContext): Promise<Feed> {
  const asVisitor = api.asApp();
  const q = (query.get('q') ?? '').trim();
  const { data = [] } = await asVisitor.call<WirePost[]>('tweetsFullarchiveSearch', {
    query: q,
    max_results: POSTS_PER_PAGE,
    start_time: FIRST_TIME,
  });
  const cards = await cardsOfIds(
    asVisitor,
    data.map(({ id }) => id),
  );
  return {
    title: `Search: ${titleText(q)}`,
    pageUrl: `${publicUrl}/search?${new URLSearchParams({ q }).toString()}`,
    ownUrl: publicUrl + request.url,
    publicUrl,
    cards: [...cards.values()],
  };
}

function answer({ request }: Visit, format: Format, feed: Feed, { isOpen }: WebContext): Answer {
  const { type, render } = FORMATS[format];
  const body = `<?xml version="1.0" encoding="utf-8"?>\n${withoutControls(render(feed).markup)}`;
  // Weak, because its encodings differ in their bytes.
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  // Where visitors must sign in, no shared cache may keep what a signed-in reader gets.
  const cacheControl = isOpen ? 'public, max-age=60' : 'private, no-cache';
  const headers = { etag, 'cache-control': cacheControl, 'x-content-type-options': 'nosniff' };
  if (request.headers['if-none-match'] === etag) return new Answer(304, Buffer.alloc(0), headers);
  return new Answer(200, Buffer.from(body), { ...headers, 'content-type': type });
}

/** Removes what XML 1.0 cannot contain (section 2.2). */
function withoutControls(markup: string): string {
  return markup.replaceAll(/[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]/g, '');
}

interface Entry {
  readonly url: string;
  readonly title: string;
  readonly author: string;
  readonly time: Date;
  /** HTML. */
  readonly content: string;
}

const MAX_TITLE = 80;

function entryOf(card: PostCard, publicUrl: string): Entry {
  const { post, author, repostedBy } = card;
  const text = textOfPost(card, true);
  const characters = [...titleText(plainText(text))];
  const short = characters.slice(0, MAX_TITLE).join('') + (characters.length > MAX_TITLE ? '…' : '');
  const name = author ? `${shownName(author)} (@${author.username})` : 'Unknown account';
  return {
    url: publicUrl + postPath(post.id, author),
    title: repostedBy ? `Repost of ${name}: ${short}` : short,
    author: name,
    time: new Date(post.created_at ?? 0),
    content: richText(text).markup.replaceAll('href="/', `href="${publicUrl}/`).replaceAll('\n', '<br />'),
  };
}

function atomOf({ title, pageUrl, ownUrl, publicUrl, cards }: Feed): Html {
  const entries = cards.map((card) => entryOf(card, publicUrl));
  const newest = entries[0]?.time ?? new Date(0);
  return html`<feed xmlns="http://www.w3.org/2005/Atom">
    <id>${pageUrl}</id>
    <title>${title}</title>
    <updated>${newest.toISOString()}</updated>
    <link rel="self" href="${ownUrl}" />
    <link href="${pageUrl}" />
    ${entries.map(
      ({ url, title: of, author, time, content }) =>
        html`<entry>
          <id>${url}</id>
          <title>${of}</title>
          <author><name>${author}</name></author>
          <published>${time.toISOString()}</published>
          <updated>${time.toISOString()}</updated>
          <link href="${url}" />
          <content type="html">${content}</content>
        </entry>`,
    )}
  </feed>`;
}

function rssOf({ title, pageUrl, ownUrl, publicUrl, cards }: Feed): Html {
  const entries = cards.map((card) => entryOf(card, publicUrl));
  // `link` is written whole: in HTML it has no end, and a formatter of templates would remove it.
  const link = (url: string): Html => new Html(`<link>${html`${url}`.markup}</link>`);
  return html`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
    <channel>
      <title>${title}</title>
      ${link(pageUrl)}
      <description>${title}</description>
      <atom:link rel="self" type="application/rss+xml" href="${ownUrl}" />
      ${entries.map(
        ({ url, title: of, time, content }) =>
          html`<item>
            <guid>${url}</guid>
            <title>${of}</title>
            ${link(url)}
            <pubDate>${time.toUTCString()}</pubDate>
            <description>${content}</description>
          </item>`,
      )}
    </channel>
  </rss>`;
}

/** Returns the links to the feeds of a page, for its head. `path` is that of the page, `query` its query, if it has one. */
export function feedLinks(path: string, title: string, query = ''): Html {
  return html`<link
      rel="alternate"
      type="application/atom+xml"
      title="${title}"
      href="${path}/feed.atom${query}"
    />
    <link rel="alternate" type="application/rss+xml" title="${title}" href="${path}/feed.rss${query}" />`;
}
