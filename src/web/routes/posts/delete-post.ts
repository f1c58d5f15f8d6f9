import { html } from '../../../api/reference/html.js';
import { partAnswer, wantsPart } from '../../part-answer.js';
import { actionPath } from '../../posts/post-actions.js';
import { postPath } from '../../posts/paths.js';
import { postCard } from '../../posts/post-card.js';
import type { CreateRoutes } from '../../web-context.js';
import { cardIn } from './post-menu.js';
import { cardContext } from './public-pages.js';

/** `/i/posts/{id}/delete`: asks before a post is deleted. The script asks nothing; it lets the writer undo. */
export const deletePostRoutes: CreateRoutes = (pages, context) => [
  pages.showToUser(actionPath('{id}', 'delete'), async (visit) => {
    const card = await cardIn(visit);
    const { post, author } = card;
    return visit.show(
      { title: 'Delete this post?', wide: 'posts' },
      html`<h1>Delete this post?</h1>
        ${postCard(card, { ...cardContext(visit, context), isSignedIn: false })}
        <form class="card" method="post" action="${actionPath(post.id, 'delete')}">
          ${visit.csrfField()}
          <p>Its likes, reposts and bookmarks go with it, and it cannot be brought back. Replies stay.</p>
          <div class="actions">
            <button class="danger">Delete</button>
            <a class="button plain" href="${postPath(post.id, author)}">Keep it</a>
          </div>
        </form>`,
    );
  }),
  pages.acceptFromUser(actionPath('{id}', 'delete'), async (visit) => {
    const { post } = await cardIn(visit);
    await visit.api.call('deleteTweetById', { id: post.id });
    // A redirect would not tell the script whether the post is deleted or its user signed out.
    return wantsPart(visit, 'deletion') ? partAnswer('deletion', html``) : visit.goTo('/home');
  }),
];
