import { html, type Html } from '../../../api/reference/html.js';
import type { UserDetails } from '../../../services/accounts/operators.js';
import type { SignedInVisit, Visit } from '../../visit.js';
import { PATHS } from './operator-pages.js';

export interface UserSituation {
  readonly state: 'active' | 'suspended' | 'deactivated' | 'deleting';
  readonly ownsApps: boolean;
}

/** The forms of what an operator can do to a user; to themselves only a new password. */
export function userActions(visit: SignedInVisit, sheet: UserDetails, situation: UserSituation): Html {
  const { user } = sheet;
  const path = `${PATHS.user}/${String(user.id)}`;
  const isSelf = user.id === visit.viewer.user.id;
  return html`${recoveryCard(visit, path)}
  ${
    isSelf
      ? html`<p class="hint">This is you: only another operator can suspend, dismiss or delete you.</p>`
      : html`${situation.state !== 'deleting' && suspensionCard(visit, sheet, path, situation)}
        ${operatorCard(visit, sheet, path)} ${deleteCard(visit, sheet, path, situation)}`
  }`;
}

function recoveryCard(visit: Visit, path: string): Html {
  return html`<form class="card" method="post" action="${path}/recovery">
    <h2>Forgotten password</h2>
    <p>
      A link with which this user chooses a new password, good for one use and a day; or a new password that
      is made here and works at once.
    </p>
    ${visit.csrfField()}
    <div class="actions">
      <button class="plain" name="by" value="link">Make a link</button>
      <button class="plain" name="by" value="password">Make a password</button>
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
        <p>Hides profile and posts, signs the user out and refuses the tokens, until it is taken back.</p>
        ${visit.csrfField()}
        <button class="danger">Suspend @${user.username}</button>
      </form>`;
}

function operatorCard(visit: Visit, { user, isOperator }: UserDetails, path: string): Html {
  return html`<form class="card" method="post" action="${path}/operator">
    <h2>Operator</h2>
    <p>
      Operators see, suspend and delete users, make new passwords, invite, and grant apps what they may use.
    </p>
    ${visit.csrfField()}
    ${
      isOperator
        ? html`<button class="plain" name="operates" value="no">Dismiss @${user.username}</button>`
        : html`<button class="plain" name="operates" value="yes">Make @${user.username} an operator</button>`
    }
  </form>`;
}

function deleteCard(
  visit: Visit,
  { user }: UserDetails,
  path: string,
  { state, ownsApps }: UserSituation,
): Html {
  if (state === 'deleting' || ownsApps) {
    const text = ownsApps ? 'This user owns apps: delete those first.' : 'This account is being deleted.';
    return html`<div class="card">
      <h2>Delete</h2>
      <p>${text}</p>
    </div>`;
  }
  return html`<div class="card">
    <h2>Delete</h2>
    <details>
      <summary class="danger">Delete @${user.username}</summary>
      <form method="post" action="${path}/delete">
        <p>The account and everything that it wrote are deleted for good.</p>
        ${visit.csrfField()}
        <button class="danger">Yes, delete it</button>
      </form>
    </details>
  </div>`;
}
