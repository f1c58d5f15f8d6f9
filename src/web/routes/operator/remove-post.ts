import { html, type Html } from '../../../api/reference/html.js';
import type { PostId } from '../../../core/ids.js';
import { MAX_OPERATOR_TEXT } from '../../../core/limits.js';
import { wholeTextOf, type Post } from '../../../core/post.js';
import { findRemovable, removePost } from '../../../services/moderation/remove-post.js';
import { textField, type Faults } from '../../fields.js';
import { attempt, doneAt, NO_FAULTS, statusOf } from '../../forms.js';
import { findInPath } from '../../id-in-path.js';
import { momentText } from '../../times.js';
import type { Visit } from '../../visit.js';
import type { CreateRoutes, WebContext } from '../../web-context.js';
import { operatorPage, PATHS } from './operator-pages.js';

/** The form to remove a post, with its reason. */
export const removePostRoutes: CreateRoutes = (pages, context) => {
  const path = `${PATHS.posts}/{id}`;
  const show = (visit: Visit, post: Post, faults: Faults) =>
    operatorPage(
      visit,
      { title: 'Remove a post', current: PATHS.reports, status: statusOf(faults) },
      removalForm(visit, post, faults),
    );
  return [
    pages.showToUser(path, async (visit) => show(visit, await requirePost(visit, context), NO_FAULTS)),
    pages.acceptFromUser(path, async (visit) => {
      const post = await requirePost(visit, context);
      const reason = visit.form.get('reason') ?? '';
      return attempt(
        () => removePost(context.accounts, visit.viewer.user.id, post.id, reason),
        (faults) => show(visit, post, faults),
        () => visit.goTo(doneAt(PATHS.reports, 'removed')),
      );
    }),
  ];
};

function requirePost(visit: Visit, { accounts }: WebContext): Promise<Post> {
  return findInPath(visit, (id: PostId) => findRemovable(accounts, id));
}

function removalForm(visit: Visit, post: Post, faults: Faults): Html {
  return html`<form class="card" method="post" action="${PATHS.posts}/${String(post.id)}">
    <p class="written reported" dir="auto">${wholeTextOf(post).text}</p>
    <p class="hint">Written ${momentText(post.createdAtMs)}</p>
    <p>The post is deleted for everyone, with its reposts and likes. This cannot be undone.</p>
    ${visit.csrfField()}
    ${textField({
      name: 'reason',
      label: 'Reason, which the author sees',
      maxLength: MAX_OPERATOR_TEXT,
      required: true,
      fault: faults.get('reason'),
    })}
    <div class="actions"><button class="danger">Remove the post</button></div>
  </form>`;
}
