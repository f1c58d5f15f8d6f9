import type { Answer } from '../../../http/answer.js';
import type { PlainRoute } from '../../../http/plain-route.js';
import { html } from '../../../api/reference/html.js';
import type { AccountDeps } from '../../../services/accounts/account-deps.js';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../../services/accounts/account-rules.js';
import { changePassword } from '../../../services/accounts/passwords.js';
import { textField } from '../../fields.js';
import { attempt, doneAt, doneNote, faultNote, NO_FAULTS, statusOf, type Faults } from '../../forms.js';
import type { PageRoutes } from '../../page-routes.js';
import { proveOwnPassword, WRONG_PASSWORD, type PasswordProof } from '../../password-proof.js';
import type { SignedInVisit } from '../../visit.js';
import { accountPage, PATHS } from './account-section.js';

/** Changing the password, which ends all other sessions. */
export function passwordRoutes(pages: PageRoutes, accounts: AccountDeps, proof: PasswordProof): PlainRoute[] {
  return [
    pages.showToUser(PATHS.password, (visit) => passwordPage(visit, NO_FAULTS)),
    pages.acceptFromUser(PATHS.password, async (visit) => {
      const { form, viewer } = visit;
      const proven = await proveOwnPassword(proof, visit, form.get('current') ?? '');
      if (!proven) return passwordPage(visit, new Map([['current', WRONG_PASSWORD]]));
      const { user, session } = viewer;
      const by = { proof: proven, keptSession: session.tokenHash };
      const outcome = await attempt(() => changePassword(accounts, user, form.get('password') ?? '', by));
      if (outcome.kind === 'faulty') return passwordPage(visit, outcome.faults);
      return visit.goTo(doneAt(PATHS.password, 'changed'));
    }),
  ];
}

function passwordPage(visit: SignedInVisit, faults: Faults): Answer {
  return accountPage(
    visit,
    { title: 'Password', current: PATHS.password, status: statusOf(faults) },
    html`${doneNote(visit, {
        changed: 'Your password was changed. All other browsers were signed out.',
      })}
      ${faultNote(faults)}
      <form class="card" method="post" action="${PATHS.password}">
        ${visit.csrfField()}
        ${textField({
          name: 'current',
          label: 'Current password',
          type: 'password',
          fault: faults.get('current'),
          autocomplete: 'current-password',
          required: true,
          maxLength: MAX_PASSWORD_LENGTH,
        })}
        ${newPasswordField(faults)}
        <div class="actions"><button>Change password</button></div>
      </form>
      <p class="hint">Connected apps keep their access. See <a href="${PATHS.apps}">Connected apps</a>.</p>`,
  );
}

/** Returns the field for a new password, named `password`. */
export function newPasswordField(faults: Faults, label = 'New password') {
  return textField({
    name: 'password',
    label,
    type: 'password',
    fault: faults.get('password'),
    hint: `At least ${MIN_PASSWORD_LENGTH} characters. Several words are easy to remember.`,
    autocomplete: 'new-password',
    required: true,
    maxLength: MAX_PASSWORD_LENGTH,
  });
}
