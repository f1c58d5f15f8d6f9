import type { Answer } from '../../../http/answer.js';
import { html } from '../../../api/reference/html.js';
import type { CallArguments } from '../../../api/call-arguments.js';
import { idInPath } from '../../id-in-path.js';
import { ownPath } from '../../own-path.js';
import { partAnswer, wantsPart } from '../../part-answer.js';
import { cardOfId } from '../../posts/load-cards.js';
import { actionPath } from '../../posts/post-actions.js';
import { postCard } from '../../posts/post-card.js';
import type { FormVisit, SignedInVisit } from '../../visit.js';
import type { CreateRoutes, WebContext } from '../../web-context.js';
import { cardContext } from './public-pages.js';

/** An action on a post that a button turns on and off. */
interface Toggle {
  /** The operations of the API, with their arguments for a user and a post. */
  readonly on: readonly [operation: string, sent: (userId: string, postId: string) => CallArguments];
  readonly off: readonly [operation: string, sent: (userId: string, postId: string) => CallArguments];
}

const withPost = (id: string, tweet_id: string): CallArguments => ({ id, tweet_id });

const TOGGLES: Readonly<Record<string, Toggle>> = {
  like: { on: ['usersIdLike', withPost], off: ['usersIdUnlike', withPost] },
  repost: {
    on: ['usersIdRetweets', withPost],
    off: ['usersIdUnretweets', (id, source_tweet_id) => ({ id, source_tweet_id })],
  },
  bookmark: { on: ['postUsersIdBookmarks', withPost], off: ['usersIdBookmarksDelete', withPost] },
};

/** `/i/posts/{id}/like`, `repost` and `bookmark`: the buttons under posts; `on=no` takes the action back. `vote`: polls. */
export const postActionRoutes: CreateRoutes = (pages, context) => [
  pages.acceptFromUser(actionPath('{id}', 'vote'), async (visit) => {
    const id = idInPath(visit);
    await visit.api.call('voteInPoll', { post_id: id, option: Number(visit.form.get('option')) });
    return actedOn(visit, context, id);
  }),
  ...Object.entries(TOGGLES).map(([action, toggle]) =>
    pages.acceptFromUser(actionPath('{id}', action), async (visit) => {
      const id = idInPath(visit);
      const [operation, sent] = visit.form.get('on') === 'no' ? toggle.off : toggle.on;
      await visit.api.call(operation, sent(String(visit.viewer.user.id), id));
      return actedOn(visit, context, id);
    }),
  ),
];

/**
 * Answers an action on a post: the card as it is now for the script, which asks for it, or a redirect back to the page.
 */
async function actedOn(visit: SignedInVisit<FormVisit>, context: WebContext, id: string): Promise<Answer> {
  if (!wantsPart(visit, 'post'))
    return visit.goTo(`${ownPath(visit.form.get('back')) ?? '/home'}#post-${id}`);
  const { card } = await cardOfId(visit.api, id);
  return partAnswer('post', card ? postCard(card, cardContext(visit, context)) : html``);
}
