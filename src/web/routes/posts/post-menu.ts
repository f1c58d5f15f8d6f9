import { html, type Html } from '../../../api/reference/html.js';
import { PipitError } from '../../../core/errors.js';
import { parseId } from '../../../core/ids.js';
import type { Answer } from '../../../http/answer.js';
import { cardOfId, type PostCard } from '../../posts/load-cards.js';
import { actionPath } from '../../posts/post-actions.js';
import { OPERATOR_PATH } from '../../navigation.js';
import { postPath, profilePath, reportPath } from '../../posts/paths.js';
import { postCard } from '../../posts/post-card.js';
import { shownName } from '../../shown-name.js';
import type { FormVisit, SignedInVisit } from '../../visit.js';
import type { CreateRoutes, WebContext } from '../../web-context.js';
import { COMPOSE_PATH } from './composer.js';
import { cardContext } from './public-pages.js';

/** `/i/posts/{id}/menu`: what else the viewer can do with a post, and the forms that do it. */
export const postMenuRoutes: CreateRoutes = (pages, context) => [
  pages.showToUser(actionPath('{id}', 'menu'), async (visit) =>
    showMenu(visit, await cardIn(visit), context),
  ),
  pages.acceptFromUser(actionPath('{id}', 'delete'), async (visit) => {
    const { post } = await cardIn(visit);
    await visit.api.call('deleteTweetById', { id: post.id });
    return visit.goTo('/home');
  }),
  pages.acceptFromUser(actionPath('{id}', 'pin'), async (visit) => {
    const { post, author } = await cardIn(visit);
    if (visit.form.get('on') === 'no') await visit.api.call('unpinPost');
    else await visit.api.call('pinPost', { post_id: post.id });
    return visit.goTo(author ? profilePath(author) : '/home');
  }),
  pages.acceptFromUser(actionPath('{id}', 'hidden'), async (visit) => {
    const { post, author } = await cardIn(visit);
    await visit.api.call('hideReplyById', { tweet_id: post.id, hidden: visit.form.get('on') !== 'no' });
    return visit.goTo(postPath(post.id, author));
  }),
];

async function cardIn(visit: SignedInVisit<FormVisit> | SignedInVisit): Promise<PostCard> {
  const id = parseId(visit.request.path['id'] ?? '')?.toString();
  const { card } = id === undefined ? {} : await cardOfId(visit.api, id);
  if (!card) throw new PipitError({ code: 'route-not-found' });
  return card;
}

function showMenu(visit: SignedInVisit, card: PostCard, context: WebContext): Answer {
  const { post, author } = card;
  const isOwn = post.author_id === String(visit.viewer.user.id);
  const name = author ? shownName(author) : 'this account';
  return visit.show(
    { title: 'Post menu', wide: 'posts' },
    html`<h1>Post menu</h1>
      ${postCard(card, { ...cardContext(visit, context), isSignedIn: false })}
      <ul class="menu">
        <li><a href="${COMPOSE_PATH}?quote=${post.id}">Quote this post</a></li>
        <li>
          <label for="link">Link</label>
          <input id="link" readonly value="${context.publicUrl}${postPath(post.id, author)}" />
        </li>
        ${isOwn && html`<li>${button(visit, post.id, 'pin', 'Pin to your profile')}</li>`}
        ${isOwn && html`<li>${button(visit, post.id, 'delete', 'Delete this post', 'danger')}</li>`}
        ${
          !isOwn &&
          author &&
          html`<li>
            <a href="${profilePath(author)}">Follow, mute or block <bdi>${name}</bdi></a>
          </li>`
        }
        ${!isOwn && html`<li><a href="${reportPath('posts', post.id)}">Report this post</a></li>`}
        ${visit.viewer.isOperator && html`<li><a href="${OPERATOR_PATH}/posts/${post.id}">Remove this post as an operator</a></li>`}
        ${post.conversation_id !== post.id && html`<li>${button(visit, post.id, 'hidden', 'Hide this reply')}</li>`}
      </ul>`,
  );
}

function button(visit: SignedInVisit, id: string, action: string, label: string, style = 'plain'): Html {
  return html`<form method="post" action="${actionPath(id, action)}">
    ${visit.csrfField()}<button class="${style}">${label}</button>
  </form>`;
}
