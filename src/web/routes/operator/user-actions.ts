import { html, type Html } from '../../../api/reference/html.js';
import { MAX_OPERATOR_TEXT } from '../../../core/limits.js';
import type { UserDetails } from '../../../services/accounts/operators.js';
import { textField } from '../../fields.js';
import type { SignedInVisit, Visit } from '../../visit.js';
import { deleteCard } from '../delete-card.js';
import { PATHS } from './operator-pages.js';

export interface UserSituation {
  readonly state: 'active' | 'suspended' | 'deactivated' | 'deleting';
  readonly ownsApps: boolean;
}

/** Returns the forms for an operator's actions on a user. On themselves, operators can only reset the password. */
export function userActions(visit: SignedInVisit, details: UserDetails, situation: UserSituation): Html {
  const { user } = details;
  const path = `${PATHS.user}/${String(user.id)}`;
  const isSelf = user.id === visit.viewer.user.id;
  return html`${recoveryCard(visit, path)}
  ${
    isSelf
      ? html`<p class="hint">
          This is your own account. Only another operator can suspend, dismiss or delete it.
        </p>`
      : html`${situation.state !== 'deleting' && suspensionCard(visit, details, path, situation)}
        ${operatorCard(visit, details, path)} ${deletionCard(visit, details, path, situation)}`
  }`;
}

function recoveryCard(visit: Visit, path: string): Html {
  return html`<form class="card" method="post" action="${path}/recovery">
    <h2>Forgotten password</h2>
    <p>
      Create a link for the user to set a new password, valid for one use and one day, or generate a new
      password, which takes effect at once.
    </p>
    ${visit.csrfField()}
    <div class="actions">
      <button class="plain" name="by" value="link">Create a link</button>
      <button class="plain" name="by" value="password">Generate a password</button>
    </div>
  </form>`;
}

function suspensionCard(visit: Visit, { user }: UserDetails, path: string, { state }: UserSituation): Html {
  return state === 'suspended'
    ? html`<form class="card" method="post" action="${path}/restore">
        <h2>Suspended</h2>
        <p>Profile and posts are hidden, and tokens are refused.</p>
        ${visit.csrfField()}
        <button class="plain">Restore</button>
      </form>`
    : html`<form class="card" method="post" action="${path}/suspend">
        <h2>Suspend</h2>
        <p>
          Hides the profile and posts, signs the user out and refuses tokens, until the account is restored.
        </p>
        ${visit.csrfField()}
        ${textField({
          name: 'reason',
          label: 'Reason, which the user sees',
          maxLength: MAX_OPERATOR_TEXT,
        })}
        <button class="danger">Suspend @${user.username}</button>
      </form>`;
}

function operatorCard(visit: Visit, { user, isOperator }: UserDetails, path: string): Html {
  return html`<form class="card" method="post" action="${path}/operator">
    <h2>Operator</h2>
    <p>
      Operators can view, suspend and delete users, reset passwords, create invitations and change app access.
    </p>
    ${visit.csrfField()}
    ${
      isOperator
        ? html`<button class="plain" name="operates" value="no">Dismiss @${user.username}</button>`
        : html`<button class="plain" name="operates" value="yes">Make @${user.username} an operator</button>`
    }
  </form>`;
}

function deletionCard(
  visit: Visit,
  { user }: UserDetails,
  path: string,
  { state, ownsApps }: UserSituation,
): Html {
  if (state !== 'deleting' && !ownsApps) {
    const consequence = 'The account and everything it wrote are deleted permanently.';
    return deleteCard(visit, `@${user.username}`, path, consequence);
  }
  return html`<div class="card">
    <h2>Delete</h2>
    <p>${ownsApps ? 'This user owns apps. Delete them first.' : 'This account is being deleted.'}</p>
  </div>`;
}
