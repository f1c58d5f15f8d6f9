import { html, type Html } from '../../../api/reference/html.js';
import { icon } from '../../icons.js';

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

/** Returns the link to the feed of a page for its readers: browsers no longer show those of its head. */
export function feedLink(path: string, query = ''): Html {
  return html`<a class="feed-link" href="${path}/feed.atom${query}">${icon('feed')}<span>Feed</span></a>`;
}
