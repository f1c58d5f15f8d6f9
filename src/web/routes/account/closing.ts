import type { Answer } from '../../../http/answer.js';
import { html, type Html } from '../../../api/reference/html.js';
import type { User } from '../../../core/user.js';
import type { ProvenPassword } from '../../../services/accounts/authority.js';
import { closeAccount, deactivateAccount } from '../../../services/accounts/standing.js';
import type { OwnApp } from '../../../services/apps/own-apps.js';
import { currentPasswordField, note } from '../../fields.js';
import { points } from '../../lists.js';
import { CONSOLE_PATH } from '../../navigation.js';
import type { SignedInVisit, Visit } from '../../visit.js';
import { accountPage, PATHS, proveOwnPassword, WRONG_PASSWORD } from './account-section.js';
import type { CreateRoutes } from '../../web-context.js';

const DEACTIVATE = `${PATHS.closing}/deactivate`;
const DELETE = `${PATHS.closing}/delete`;

/** Deactivating or deleting one's account. */
export const closingRoutes: CreateRoutes = (pages, context) => {
  const { accounts } = context;
  const show = async (visit: SignedInVisit, fault?: string): Promise<Answer> =>
    closingPage(visit, await accounts.apps.listOf(visit.viewer.user.id), fault);
  const leave = (
    path: string,
    left: string,
    close: (user: User, proof: ProvenPassword) => Promise<unknown>,
  ) =>
    pages.acceptFromUser(path, async (visit) => {
      const proven = await proveOwnPassword(context, visit, visit.form.get('password') ?? '');
      if (!proven) return show(visit, WRONG_PASSWORD);
      await close(visit.viewer.user, proven);
      await visit.accounts.end();
      return visit.goTo(`/sign-in?left=${left}`);
    });
  return [
    pages.showToUser(PATHS.closing, (visit) => show(visit)),
    leave(DEACTIVATE, 'deactivated', (user, proven) => deactivateAccount(accounts, user.id, proven)),
    leave(DELETE, 'deleted', (user, proven) => closeAccount(accounts, user, { proof: proven })),
  ];
};

function closingPage(visit: SignedInVisit, owned: readonly OwnApp[], fault: string | undefined): Answer {
  return accountPage(
    visit,
    {
      title: 'Close account',
      heading: 'Close your account',
      current: PATHS.closing,
      status: fault === undefined ? 200 : 403,
    },
    html`${fault !== undefined && note('bad', fault)}
      <form class="card" method="post" action="${DEACTIVATE}">
        <h2>Deactivate your account</h2>
        <p>
          Your profile and posts are hidden, apps lose access, and you are signed out everywhere. Nothing is
          deleted: sign in again to reactivate your account.
        </p>
        ${visit.csrfField()} ${passwordField('deactivate')}
        <div class="actions"><button class="plain">Deactivate</button></div>
      </form>
      ${owned.length > 0 ? ownsApps(owned) : deleteForm(visit)}`,
  );
}

function deleteForm(visit: Visit): Html {
  return html`<form class="card" method="post" action="${DELETE}">
    <h2>Delete your account</h2>
    <p>
      Your posts, likes, Lists, followers and tokens are deleted permanently, and your username becomes
      available to others. Messages that you sent remain visible to their recipients.
    </p>
    ${visit.csrfField()} ${passwordField('delete')}
    <div class="actions"><button class="danger">Delete permanently</button></div>
  </form>`;
}

function ownsApps(owned: readonly OwnApp[]): Html {
  return html`<div class="card">
    <h2>Delete your account</h2>
    <p>Delete your apps first. Others may be using them:</p>
    ${points(owned.map(({ id, name }) => html`<a href="${CONSOLE_PATH}/${String(id)}">${name}</a>`))}
  </div>`;
}

/** The id distinguishes the password fields of the two forms on the page. */
function passwordField(form: string): Html {
  return currentPasswordField({ id: `password-${form}`, label: 'Your password' });
}
