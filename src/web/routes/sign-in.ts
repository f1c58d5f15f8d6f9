import type { Answer } from '../../http/answer.js';
import { html } from '../../api/reference/html.js';
import { reactivateAccount } from '../../services/accounts/standing.js';
import { PipitError } from '../../core/errors.js';
import type { UserId } from '../../core/ids.js';
import { MAX_ACCOUNTS } from '../browser-sessions.js';
import { checkbox, currentPasswordField, note, textField } from '../fields.js';
import { SWITCH_PATH } from '../navigation.js';
import { nextQuery, ownPath } from '../own-path.js';
import type { Visit } from '../visit.js';
import type { CreateRoutes } from '../web-context.js';

/** The default redirect target after sign-in. */
const START = '/';

/** The default redirect target after a switch. */
const HOME = '/home';

/**
 * `/sign-in`, with `next` for the path to return to, `username` to fill the field, and `again` to ask signed-in users
 * for their password; and `/sign-out`. The paths contain a hyphen, so they cannot collide with usernames.
 */
export const signInRoutes: CreateRoutes = (pages, context) => {
  const { passwords, addressOf, accounts, signUp } = context;
  const offersSignUp = signUp.mode === 'open';
  return [
    pages.show('/sign-in', (visit) => {
      const { query } = visit;
      if (visit.viewer && !query.has('again') && !query.has(ADD)) return visit.goTo(nextOf(query));
      const fault = isFull(visit) ? FAULTS.full : undefined;
      return signInPage(visit, { username: query.get('username') ?? '', offersSignUp, fault });
    }),
    pages.accept('/sign-in', async (visit) => {
      const { form, request } = visit;
      if (isFull(visit)) return signInPage(visit, { username: '', fault: FAULTS.full });
      const username = form.get('username') ?? '';
      const password = form.get('password') ?? '';
      const outcome = await passwords.attempt({ username, password, address: addressOf(request) });
      if (outcome.kind === 'wrong') return signInPage(visit, { username, offersSignUp, fault: FAULTS.wrong });
      if (outcome.kind === 'suspended') {
        return signInPage(visit, { username, offersSignUp, fault: suspendedFault(outcome.reason) });
      }
      if (outcome.kind === 'deactivated') {
        if (!form.has(REACTIVATE_FIELD)) return signInPage(visit, { username, isDeactivated: true });
        await reactivateAccount(accounts, outcome.proof);
      }
      const { accounts: browser, query } = visit;
      if (await browser.start(outcome.proof, request.headers['user-agent'], query.has(ADD)))
        return visit.goTo(nextOf(query));
      return signInPage(visit, { username, offersSignUp, fault: FAULTS.changed });
    }),
    pages.accept('/sign-out', async (visit) => {
      await (visit.form.has('all') ? visit.accounts.endAll() : visit.accounts.end());
      return visit.goTo(nextOf(visit.query));
    }),
    pages.accept(SWITCH_PATH, (visit) => {
      const id = visit.form.get('account') ?? '';
      if (!/^\d{1,19}$/.test(id) || !visit.accounts.switchTo(BigInt(id) as UserId))
        throw new PipitError({ code: 'route-not-found' });
      return visit.goTo(ownPath(visit.form.get('next')) ?? HOME);
    }),
  ];
};

/** Keeps the account that is signed in. */
const ADD = 'add';

/** Reports whether the browser has no room for one more account. */
function isFull({ query, accounts: { active, others } }: Visit): boolean {
  return query.has(ADD) && active !== undefined && others.length + 1 >= MAX_ACCOUNTS;
}

const FAULTS = {
  wrong: 'The username or the password is wrong.',
  changed: 'Your account has changed. Please sign in again.',
  full: `This browser has ${MAX_ACCOUNTS} accounts. Sign out of one of them first.`,
} as const;

function suspendedFault(reason: string): string {
  const fault = 'Your account is suspended.';
  return reason === '' ? fault : `${fault} The operators gave this reason: ${reason}`;
}

const DEACTIVATED = 'This account is deactivated. Enter your password again to reactivate it.';
const REACTIVATE_FIELD = 'reactivate';

/** Messages for users who were just signed out, by reason. */
const LEFT: Readonly<Record<string, string>> = {
  deactivated: 'Your account is deactivated. Sign in to reactivate it.',
  deleted: 'Your account was deleted.',
  password: 'Your password was changed. Sign in with it now.',
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
  const adds = visit.query.has(ADD);
  const action = `/sign-in?${new URLSearchParams({ next, ...(adds && { [ADD]: '1' }) }).toString()}`;
  const heading = adds ? 'Add an account' : 'Sign in';
  return visit.show(
    // The next page may redirect to an app, and CSP form-action applies to that redirect too.
    { title: heading, status: fault === undefined ? 200 : 403, formTargets: 'anywhere' },
    html`<h1>${heading}</h1>
      ${adds && visit.viewer && html`<p class="lead">@${visit.viewer.user.username} stays signed in, and you can switch between your accounts.</p>`}
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
        ${currentPasswordField({ autofocus: username !== '' })}
        ${
          isDeactivated && checkbox({ name: REACTIVATE_FIELD, label: 'Reactivate my account', checked: true })
        }
        <div class="actions"><button>Sign in</button></div>
      </form>
      <p class="hint">
        ${offersSignUp === true && !visit.viewer && html`No account yet? <a href="/sign-up${nextQuery(visit.query)}">Sign up</a>. `}
        Forgot your password? Ask an operator to reset it.
      </p>`,
  );
}
