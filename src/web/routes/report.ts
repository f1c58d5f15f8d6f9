import type { Answer } from '../../http/answer.js';
import { html, type Html } from '../../api/reference/html.js';
import { PipitError } from '../../core/errors.js';
import { MAX_REPORT_COMMENT } from '../../core/limits.js';
import { USER_SELECTION } from '../api/fields.js';
import type { WireUser } from '../api/objects.js';
import { radios, textArea, type Faults } from '../fields.js';
import { attempt, faultNote, NO_FAULTS, statusOf } from '../forms.js';
import { idInPath } from '../id-in-path.js';
import { profilePath, reportPath } from '../posts/paths.js';
import { postCard } from '../posts/post-card.js';
import { REASON_WORDS } from '../report-words.js';
import { shownName } from '../shown-name.js';
import type { FormVisit, SignedInVisit } from '../visit.js';
import type { CreateRoutes, WebContext } from '../web-context.js';
import { cardIn } from './posts/post-menu.js';
import { cardContext } from './posts/public-pages.js';

/** `/i/posts/{id}/report` and `/i/users/{id}/report`: the form for reports to the operators. */
export const reportRoutes: CreateRoutes = (pages, context) =>
  (['posts', 'users'] as const).flatMap((kind) => {
    const path = reportPath(kind, '{id}');
    return [
      pages.showToUser(path, async (visit) =>
        showForm(visit, await findTarget(visit, context, kind), NO_FAULTS),
      ),
      pages.acceptFromUser(path, async (visit) => {
        const target = await findTarget(visit, context, kind);
        return attempt(
          () => send(visit, target),
          (faults) => showForm(visit, target, faults, visit.form),
          () => thanks(visit, target),
        );
      }),
    ];
  });

/** What the form is about. */
interface Target {
  readonly kind: 'posts' | 'users';
  readonly id: string;
  readonly user: WireUser | undefined;
  /** Shows it. */
  readonly shown: Html;
}

async function findTarget(visit: SignedInVisit, context: WebContext, kind: Target['kind']): Promise<Target> {
  const id = idInPath(visit);
  if (kind === 'posts') {
    const card = await cardIn(visit);
    const shown = postCard(card, { ...cardContext(visit, context), isSignedIn: false });
    return { kind, id, user: card.author, shown };
  }
  const { data: user } = await visit.api.call<WireUser>('findUserById', { id, ...USER_SELECTION });
  if (!user) throw new PipitError({ code: 'route-not-found' });
  const shown = html`<p class="lead">
    <a href="${profilePath(user)}"
      ><strong><bdi>${shownName(user)}</bdi></strong> @${user.username}</a
    >
  </p>`;
  return { kind, id, user, shown };
}

async function send({ api, form }: SignedInVisit<FormVisit>, { kind, id }: Target): Promise<void> {
  const [operation, parameter] = kind === 'posts' ? ['reportPost', 'post_id'] : ['reportUser', 'user_id'];
  await api.call(operation, {
    [parameter]: id,
    reason: form.get('reason') ?? '',
    comment: form.get('comment') ?? '',
  });
}

function showForm(
  visit: SignedInVisit,
  { kind, id, shown }: Target,
  faults: Faults,
  form?: URLSearchParams,
): Answer {
  const title = kind === 'posts' ? 'Report this post' : 'Report this account';
  // The API names members of its body by path.
  const isMissing = faults.has('$.reason');
  const isTooLong = faults.has('$.comment');
  return visit.show(
    { title, wide: 'posts', status: statusOf(faults) },
    html`<h1>${title}</h1>
      ${faultNote(faults)} ${shown}
      <form class="card report" method="post" action="${reportPath(kind, id)}">
        ${visit.csrfField()}
        ${radios({
          name: 'reason',
          legend: 'What is wrong?',
          choices: REASON_WORDS,
          chosen: form?.get('reason') ?? undefined,
        })}
        ${isMissing && html`<p class="fault">Choose a reason.</p>`}
        ${textArea({
          name: 'comment',
          label: 'Anything that the operators should know',
          value: form?.get('comment') ?? '',
          maxLength: MAX_REPORT_COMMENT,
          fault: isTooLong ? `Write at most ${MAX_REPORT_COMMENT} characters.` : undefined,
          hint: 'Optional. Only the operators of this server see your report and your name.',
        })}
        <div class="actions"><button>Send report</button></div>
      </form>`,
  );
}

function thanks(visit: SignedInVisit, { user }: Target): Answer {
  return visit.show(
    { title: 'Report sent', wide: 'posts' },
    html`<h1>Report sent</h1>
      <div class="card">
        <p>Thank you. The operators of this server will look at it.</p>
        ${
          user &&
          html`<p>
            You need not wait for them: on
            <a href="${profilePath(user)}">the profile of <bdi>${shownName(user)}</bdi></a>
            you can mute or block the account.
          </p>`
        }
        <div class="actions"><a class="button plain" href="/home">Back to home</a></div>
      </div>`,
  );
}
