import { html, Html } from '../../../api/reference/html.js';
import type { PostCard } from '../../posts/load-cards.js';
import { postPath } from '../../posts/paths.js';
import { textOfPost } from '../../posts/post-card.js';
import { excerptOf, plainText, richText } from '../../posts/rich-text.js';
import { shownName } from '../../shown-name.js';

/** The posts of a feed, newest first. */
export interface Feed {
  readonly title: string;
  /** The URL of the page that shows the same. */
  readonly pageUrl: string;
  readonly ownUrl: string;
  readonly publicUrl: string;
  readonly cards: readonly PostCard[];
}

/** The formats of feeds: Atom (RFC 4287) and RSS 2.0 (rssboard.org/rss-specification). */
export const FORMATS = {
  atom: { type: 'application/atom+xml; charset=utf-8', render: atomOf },
  rss: { type: 'application/rss+xml; charset=utf-8', render: rssOf },
} as const;

export type Format = keyof typeof FORMATS;

/** Returns a feed as an XML document. */
export function feedDocument(format: Format, feed: Feed): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n${withoutControls(FORMATS[format].render(feed).markup)}`;
}

/** Removes what XML 1.0 cannot contain (section 2.2). */
function withoutControls(markup: string): string {
  return markup.replaceAll(/[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]/g, '');
}

/** A post in a feed; a repost has the URL and time of its own. */
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
  const { post, author, repost, repostedBy } = card;
  const text = textOfPost(card, true);
  const short = excerptOf(plainText(text), MAX_TITLE);
  const name = author ? `${shownName(author)} (@${author.username})` : 'Unknown account';
  return {
    url: publicUrl + (repost ? postPath(repost.id, repostedBy) : postPath(post.id, author)),
    title: repostedBy ? `Repost of ${name}: ${short}` : short,
    author: name,
    time: new Date((repost ?? post).created_at ?? 0),
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
