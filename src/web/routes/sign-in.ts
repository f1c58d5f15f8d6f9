import type { Answer } from '../../http/answer.js';
import type { PlainRoute } from '../../http/plain-route.js';
import { html } from '../../api/reference/html.js';
import type { ClientAddress } from '../../auth/client-address.js';
import type { PasswordCheck } from '../../auth/sign-in.js';
import type { AccountDeps } from '../../services/accounts/account-deps.js';
import { MAX_PASSWORD_LENGTH } from '../../services/accounts/account-rules.js';
import { reactivateAccount } from '../../services/accounts/deactivate.js';
import type { SignUpService } from '../../services/accounts/sign-up.js';
import { checkbox, note, textField } from '../fields.js';
import { nextQuery, ownPath } from '../own-path.js';
import type { PageRoutes } from '../page-routes.js';
import type { Visit } from '../visit.js';

/** Where who signed in goes on to unless the form says otherwise. */
const START = '/';

export interface SignInDeps {
  readonly passwords: PasswordCheck;
  readonly addressOf: ClientAddress;
  readonly accounts: AccountDeps;
  readonly signUp: Pick<SignUpService, 'mode'>;
}

/**
 * `/sign-in` with `next`, the path to go on to, `username`, which fills the field, and `again`, which asks for the
 * password of who is signed in already; `/sign-out`. No username has a hyphen, so that these are nobody's pages.
 */
export function signInRoutes(
  pages: PageRoutes,
  { passwords, addressOf, accounts, signUp }: SignInDeps,
): PlainRoute[] {
  const offersSignUp = signUp.mode === 'open';
  return [
    pages.show('/sign-in', (visit) => {
      const { query } = visit;
      if (visit.viewer && !query.has('again')) return visit.goTo(nextOf(query));
      return signInPage(visit, { username: query.get('username') ?? '', offersSignUp });
    }),
    pages.accept('/sign-in', async (visit) => {
      const { form, request } = visit;
      const username = form.get('username') ?? '';
      const password = form.get('password') ?? '';
      const outcome = await passwords.attempt({ username, password, address: addressOf(request) });
      if (outcome.kind === 'wrong' || outcome.kind === 'suspended') {
        return signInPage(visit, { username, offersSignUp, fault: FAULTS[outcome.kind] });
      }
      if (outcome.kind === 'deactivated') {
        if (!form.has(REACTIVATE_FIELD)) return signInPage(visit, { username, isDeactivated: true });
        await reactivateAccount(accounts, outcome.proof);
      }
      if (await visit.startSession(outcome.proof)) return visit.goTo(nextOf(visit.query));
      return signInPage(visit, { username, offersSignUp, fault: FAULTS.overtaken });
    }),
    pages.accept('/sign-out', async (visit) => {
      await visit.endSession();
      return visit.goTo(nextOf(visit.query));
    }),
  ];
}

const FAULTS = {
  wrong: 'The username or the password is wrong.',
  suspended: 'Your account is suspended.',
  overtaken: 'Your account was changed meanwhile. Please sign in again.',
} as const;

const DEACTIVATED = 'You put this account to rest. Type your password once more to bring it back.';
const REACTIVATE_FIELD = 'reactivate';

/** What somebody did who comes here signed out. */
const LEFT: Readonly<Record<string, string>> = {
  deactivated: 'Your account is at rest. Sign in to bring it back.',
  deleted: 'Your account is deleted.',
  password: 'Your password is changed. Sign in with it now.',
};

function nextOf(query: URLSearchParams): string {
  return ownPath(query.get('next')) ?? START;
}

interface SignInPage {
  readonly username: string;
  readonly fault?: string;
  readonly isDeactivated?: boolean;
  readonly offersSignUp?: boolean;
}

function signInPage(
  visit: Visit,
  {
    username,
    isDeactivated = false,
    fault = isDeactivated ? DEACTIVATED : undefined,
    offersSignUp,
  }: SignInPage,
): Answer {
  const key = visit.query.get('left') ?? '';
  const left = Object.hasOwn(LEFT, key) ? LEFT[key] : undefined;
  const next = nextOf(visit.query);
  const action = `/sign-in?${new URLSearchParams({ next }).toString()}`;
  return visit.show(
    // What comes next may send the browser on to an app, and browsers count that as the form's doing.
    { title: 'Sign in', status: fault === undefined ? 200 : 403, formTargets: 'anywhere' },
    html`<h1>Sign in</h1>
      ${fault !== undefined && note('bad', fault)}
      ${fault === undefined && left !== undefined && note('good', left)}
      <form class="card" method="post" action="${action}">
        ${visit.csrfField()}
        ${textField({
          name: 'username',
          label: 'Username',
          value: username,
          autocomplete: 'username',
          required: true,
          autofocus: username === '',
        })}
        ${textField({
          name: 'password',
          label: 'Password',
          type: 'password',
          autocomplete: 'current-password',
          required: true,
          maxLength: MAX_PASSWORD_LENGTH,
          autofocus: username !== '',
        })}
        ${
          isDeactivated && checkbox({ name: REACTIVATE_FIELD, label: 'Bring my account back', checked: true })
        }
        <div class="actions"><button>Sign in</button></div>
      </form>
      <p class="hint">
        ${offersSignUp === true && html`No account yet? <a href="/sign-up${nextQuery(visit.query)}">Sign up</a>. `}
        Who forgot the password asks those who run this server for a new one.
      </p>`,
  );
}
