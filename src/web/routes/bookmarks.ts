import { html } from '../../api/reference/html.js';
import { POST_SELECTION } from '../api/fields.js';
import type { WirePost } from '../api/objects.js';
import { cardsOf } from '../posts/load-cards.js';
import type { CreateRoutes } from '../web-context.js';
import { postList, POSTS_PER_PAGE, showPage } from './posts/public-pages.js';

/** `/i/bookmarks`: the posts that the user keeps, the last bookmarked first. */
export const bookmarkRoutes: CreateRoutes = (pages, context) => [
  pages.showToUser('/i/bookmarks', async (visit) => {
    const found = await visit.api.call<WirePost[]>('getUsersIdBookmarks', {
      id: String(visit.viewer.user.id),
      max_results: POSTS_PER_PAGE,
      pagination_token: visit.query.get('page') ?? undefined,
      ...POST_SELECTION,
    });
    const token = found.meta?.next_token;
    const list = postList(visit, context, {
      cards: await cardsOf(visit.api, found),
      path: '/i/bookmarks',
      next: token === undefined ? undefined : { page: token },
      none: 'No bookmarks yet. The flag under a post keeps it here; nobody else sees that.',
      label: 'Bookmarks',
    });
    return showPage(
      visit,
      { title: 'Bookmarks', head: html``, isPublic: false },
      html`<h1>Bookmarks</h1>
        ${list}`,
    );
  }),
];
