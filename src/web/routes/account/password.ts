import { html } from '../../../api/reference/html.js';
import { invalidRequest } from '../../../core/errors.js';
import { changePassword } from '../../../services/accounts/passwords.js';
import { currentPasswordField, newPasswordField } from '../../fields.js';
import { accountForm, PATHS, proveOwnPassword, WRONG_PASSWORD } from './account-section.js';
import type { CreateRoutes } from '../../web-context.js';

/** Changing the password, which ends all other sessions. */
export const passwordRoutes: CreateRoutes = (pages, context) =>
  accountForm(pages, {
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
      const proven = await proveOwnPassword(context, visit, form.get('current') ?? '');
      if (!proven) throw invalidRequest('current', [], WRONG_PASSWORD);
      const { user, session } = viewer;
      const by = { proof: proven, keptSession: session.tokenHash };
      await changePassword(context.accounts, user, form.get('password') ?? '', by);
      return 'changed';
    },
  });
