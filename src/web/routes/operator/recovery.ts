import type { PlainRoute } from '../../../http/plain-route.js';
import { html } from '../../../api/reference/html.js';
import type { AccountDeps } from '../../../services/accounts/account-deps.js';
import {
  createPasswordReset,
  passwordResetPath,
  setRandomPassword,
} from '../../../services/accounts/passwords.js';
import { secretList } from '../../lists.js';
import { operatorPage, PATHS, type OperatorPages } from './operator-pages.js';
import { requireUser } from './user-page.js';

/** Password recovery for a user: a one-time link, or a generated password. */
export function recoveryRoutes(pages: OperatorPages, accounts: AccountDeps, publicUrl: string): PlainRoute[] {
  return [
    pages.accept(`${PATHS.user}/{id}/recovery`, async (visit) => {
      const { user } = await requireUser(accounts, visit);
      const operatorId = visit.viewer.user.id;
      const isLink = visit.form.get('by') !== 'password';
      const secret = isLink
        ? publicUrl + passwordResetPath(await createPasswordReset(accounts, user.id, operatorId))
        : await setRandomPassword(accounts, user, { operatorId });
      return operatorPage(
        visit,
        { title: `Password reset for @${user.username}`, current: PATHS.users },
        html`<div class="card">
            ${secretList({ [isLink ? 'Link' : 'Password']: secret })}
            <p>
              ${
                isLink
                  ? 'Give it only to this user. It can be used once and expires after a day.'
                  : 'Give it only to this user, who should change it. All browsers were signed out.'
              }
            </p>
          </div>
          <p><a href="${PATHS.user}/${String(user.id)}">Back to @${user.username}</a></p>`,
      );
    }),
  ];
}
