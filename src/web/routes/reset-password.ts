import type { Answer } from '../../http/answer.js';
import { html } from '../../api/reference/html.js';
import { findResetUser, resetPassword } from '../../services/accounts/passwords.js';
import { newPasswordField, type Faults } from '../fields.js';
import { attempt, faultNote, NO_FAULTS, statusOf } from '../forms.js';
import type { Visit } from '../visit.js';
import type { CreateRoutes } from '../web-context.js';

/** `/reset-password` with `token`: the page behind a password reset link. */
export const resetPasswordRoutes: CreateRoutes = (pages, context) => {
  const { accounts, limitSignUps, addressOf } = context;
  const tokenOf = ({ query }: Visit) => query.get('token') ?? '';
  return [
    pages.show('/reset-password', async (visit) => {
      const user = await findResetUser(accounts, tokenOf(visit));
      return user ? resetPage(visit, user.username, NO_FAULTS) : expiredPage(visit);
    }),
    pages.accept('/reset-password', async (visit) => {
      limitSignUps(addressOf(visit.request));
      const user = await findResetUser(accounts, tokenOf(visit));
      if (!user) return expiredPage(visit);
      const password = visit.form.get('password') ?? '';
      return attempt(
        () => resetPassword(accounts, user, tokenOf(visit), password),
        (faults) => (faults.has('token') ? expiredPage(visit) : resetPage(visit, user.username, faults)),
        () => {
          const query = new URLSearchParams({ left: 'password', username: user.username });
          return visit.goTo(`/sign-in?${query.toString()}`);
        },
      );
    }),
  ];
};

function resetPage(visit: Visit, username: string, faults: Faults): Answer {
  return visit.show(
    { title: 'New password', status: statusOf(faults) },
    html`<h1>Set a new password for @${username}</h1>
      ${faultNote(faults)}
      <form class="card" method="post" action="${visit.request.url}">
        ${visit.csrfField()} ${newPasswordField(faults)}
        <p class="hint">All browsers will be signed out. Sign in again with the new password.</p>
        <div class="actions"><button>Change password</button></div>
      </form>`,
  );
}

function expiredPage(visit: Visit): Answer {
  return visit.show(
    { title: 'Link expired', status: 403 },
    html`<h1>This link has expired</h1>
      <div class="card">
        <p>It was already used or is older than a day. Ask an operator for a new one.</p>
        <div class="actions"><a class="button" href="/">Go to the home page</a></div>
      </div>`,
  );
}
