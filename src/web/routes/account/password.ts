import type { PlainRoute } from '../../../http/plain-route.js';
import { html } from '../../../api/reference/html.js';
import { invalidRequest } from '../../../core/errors.js';
import type { AccountDeps } from '../../../services/accounts/account-deps.js';
import { changePassword } from '../../../services/accounts/passwords.js';
import { currentPasswordField, newPasswordField } from '../../fields.js';
import type { PageRoutes } from '../../page-routes.js';
import { proveOwnPassword, WRONG_PASSWORD, type PasswordProof } from '../../password-proof.js';
import { accountForm, PATHS } from './account-section.js';

/** Changing the password, which ends all other sessions. */
export function passwordRoutes(pages: PageRoutes, accounts: AccountDeps, proof: PasswordProof): PlainRoute[] {
  return accountForm(pages, {
    path: PATHS.password,
    title: 'Password',
    done: { changed: 'Your password was changed. All other browsers were signed out.' },
    body: (visit, notes, faults) =>
      html`${notes}
        <form class="card" method="post" action="${PATHS.password}">
          ${visit.csrfField()}
          ${currentPasswordField({ name: 'current', label: 'Current password', fault: faults.get('current') })}
          ${newPasswordField(faults)}
          <div class="actions"><button>Change password</button></div>
        </form>
        <p class="hint">
          Connected apps keep their access. See <a href="${PATHS.apps}">Connected apps</a>.
        </p>`,
    submit: async (visit) => {
      const { form, viewer } = visit;
      const proven = await proveOwnPassword(proof, visit, form.get('current') ?? '');
      if (!proven) throw invalidRequest('current', [], WRONG_PASSWORD);
      const { user, session } = viewer;
      const by = { proof: proven, keptSession: session.tokenHash };
      await changePassword(accounts, user, form.get('password') ?? '', by);
      return 'changed';
    },
  });
}
