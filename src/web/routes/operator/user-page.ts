import type { Answer } from '../../../http/answer.js';
import { html, type Html } from '../../../api/reference/html.js';
import { forbidden } from '../../../core/errors.js';
import type { UserId } from '../../../core/ids.js';
import type { User } from '../../../core/user.js';
import type { AccountDeps } from '../../../services/accounts/account-deps.js';
import { closeAccount, standingOf, suspendAccount } from '../../../services/accounts/standing.js';
import { findUserDetails, setOperator, type UserDetails } from '../../../services/accounts/operators.js';
import {
  createPasswordReset,
  passwordResetPath,
  setRandomPassword,
} from '../../../services/accounts/passwords.js';
import type { OwnApp } from '../../../services/apps/own-apps.js';
import { doneAt, doneNote } from '../../forms.js';
import { findInPath } from '../../id-in-path.js';
import { factList, points, secretList } from '../../lists.js';
import { shownName } from '../../shown-name.js';
import { dayText } from '../../times.js';
import type { FormVisit, SignedInVisit, Visit } from '../../visit.js';
import { operatorPage, PATHS } from './operator-pages.js';
import { userActions } from './user-actions.js';
import type { CreateRoutes } from '../../web-context.js';

/** The page of a user, with the operator's actions. */
export const userPageRoutes: CreateRoutes = (pages, { accounts }) => {
  const path = `${PATHS.user}/{id}`;
  const act = (action: string, run: (user: User, visit: SignedInVisit<FormVisit>) => Promise<string>) =>
    pages.acceptFromUser(`${path}/${action}`, async (visit) => {
      const { user } = await requireOther(accounts, visit);
      const done = await run(user, visit);
      return visit.goTo(doneAt(`${PATHS.user}/${String(user.id)}`, done));
    });
  return [
    pages.showToUser(path, async (visit) => userPage(accounts, visit, await requireUser(accounts, visit))),
    act('suspend', async ({ id }, { viewer, form }) => {
      const reason = form.get('reason') ?? '';
      await suspendAccount(accounts, id, true, { operatorId: viewer.user.id, reason });
      return 'suspended';
    }),
    act('restore', async ({ id }, { viewer }) => {
      const standing = await suspendAccount(accounts, id, false, { operatorId: viewer.user.id });
      return standing === 'deactivated' ? 'lifted' : 'restored';
    }),
    act('operator', async ({ id }, { form, viewer }) => {
      const operates = form.get('operates') === 'yes';
      await setOperator(accounts, id, operates, viewer.user.id);
      return operates ? 'appointed' : 'dismissed';
    }),
    pages.acceptFromUser(`${path}/delete`, async (visit) => {
      const { user } = await requireOther(accounts, visit);
      await closeAccount(accounts, user, { operatorId: visit.viewer.user.id });
      return visit.goTo(doneAt(PATHS.users, 'deleted'));
    }),
  ];
};

const DONE = {
  suspended: 'The account is suspended. It is hidden and signed out, and its tokens are refused.',
  restored: 'The account was restored.',
  lifted: 'The suspension was lifted. The account stays deactivated until its owner signs in.',
  appointed: 'This user is an operator now.',
  dismissed: 'This user is no longer an operator.',
} as const;

/** Password recovery for a user: a one-time link, or a generated password. */
export const recoveryRoutes: CreateRoutes = (pages, { accounts, publicUrl }) => [
  pages.acceptFromUser(`${PATHS.user}/{id}/recovery`, async (visit) => {
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

/** Returns the user in the path. Throws `route-not-found`. */
function requireUser(accounts: AccountDeps, visit: Visit): Promise<UserDetails> {
  return findInPath(visit, (id: UserId) => findUserDetails(accounts, id));
}

/** Returns the user in the path. Throws `forbidden` for oneself, so that the server keeps an operator. */
async function requireOther(accounts: AccountDeps, visit: SignedInVisit): Promise<UserDetails> {
  const details = await requireUser(accounts, visit);
  if (details.user.id === visit.viewer.user.id) {
    throw forbidden('Operators cannot do this to themselves, so that the server always has an operator.');
  }
  return details;
}

async function userPage(accounts: AccountDeps, visit: SignedInVisit, details: UserDetails): Promise<Answer> {
  const { user } = details;
  const owned = await accounts.apps.listOf(user.id);
  const state = await standingOf(accounts.engine, user);
  return operatorPage(
    visit,
    { title: `@${user.username}`, current: PATHS.users },
    html`${doneNote(visit, DONE)} ${factsCard(details, STATES[state])} ${ownedCard(owned)}
    ${userActions(visit, details, { state, ownsApps: owned.length > 0 })}`,
  );
}

const STATES = {
  active: 'Active',
  suspended: 'Suspended by an operator',
  deactivated: 'Deactivated by its owner',
  deleting: 'Being deleted',
} as const;

function factsCard({ user, counts, isOperator }: UserDetails, state: string): Html {
  return html`<div class="card">
    ${factList({
      Name: shownName(user),
      ID: html`<code>${String(user.id)}</code>`,
      State: html`${state}${user.protected && ', protected'}${isOperator && ', operator'}`,
      Created: dayText(user.createdAtMs),
      Posts: counts?.posts,
      Followers: counts?.followers,
      Following: counts?.following,
      About: user.description !== '' && html`<span class="written">${user.description}</span>`,
    })}
  </div>`;
}

function ownedCard(owned: readonly OwnApp[]): Html | undefined {
  if (owned.length === 0) return undefined;
  return html`<div class="card">
    <h2>Apps of this user</h2>
    ${points(owned.map(({ id, name }) => html`<a href="${PATHS.apps}/${String(id)}">${name}</a>`))}
  </div>`;
}
