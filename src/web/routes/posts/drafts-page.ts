import { html } from '../../../api/reference/html.js';
import type { CreateRoutes } from '../../web-context.js';
import { COMPOSE_PATH } from './composer.js';

/** The path of the page with the drafts of the browser. */
export const DRAFTS_PATH = '/compose/drafts';

/** `/compose/drafts`: the script shows what was written and not sent. The server does not know it. */
export const draftRoutes: CreateRoutes = (pages) => [
  pages.showToUser(DRAFTS_PATH, (visit) =>
    visit.show(
      { title: 'Drafts', wide: 'posts' },
      html`<p><a href="${COMPOSE_PATH}">Write a post</a></p>
        <h1>Drafts</h1>
        <p class="hint">
          Drafts are kept in this browser only, apart for each account, until you sign out. The server does
          not have them. Pictures stay for 24 hours.
        </p>
        <div class="draft-list">
          <p class="absent">
            This page needs script, and so do drafts: without script, nothing is kept of a form that you
            leave.
          </p>
        </div>`,
    ),
  ),
];
