import type { Answer } from '../../http/answer.js';
import { html } from '../../api/reference/html.js';
import type { NewPerson, SignUpService } from '../../services/accounts/sign-up.js';
import { newPasswordField, type Faults } from '../fields.js';
import { attempt, boundFields, faultNote, NO_FAULTS, statusOf } from '../forms.js';
import { ACCOUNT_PATH } from '../navigation.js';
import { nextQuery, ownPath } from '../own-path.js';
import type { Visit } from '../visit.js';
import type { CreateRoutes } from '../web-context.js';

type Typed = Pick<NewPerson, 'username' | 'name'>;

/**
 * `/sign-up`, with `invitation` for the invitation code, if one is required, and `next` for the path to return to.
 */
export const signUpRoutes: CreateRoutes = (pages, context) => {
  const { signUp, limitSignUps, addressOf } = context;
  return [
    pages.show('/sign-up', async (visit) => {
      if (visit.viewer) return visit.goTo(nextOf(visit));
      if (!(await signUp.isOpenTo(invitationOf(visit)))) return closedPage(visit, signUp.mode);
      return signUpPage(visit, { username: '', name: '' }, NO_FAULTS);
    }),
    pages.accept('/sign-up', async (visit) => {
      limitSignUps(addressOf(visit.request));
      const field = (key: string) => visit.form.get(key) ?? '';
      const invitation = invitationOf(visit);
      if (!(await signUp.isOpenTo(invitation))) return closedPage(visit, signUp.mode);
      const typed = { username: field('username'), name: field('name') };
      return attempt(
        () => signUp.signUp({ ...typed, password: field('password'), invitation }),
        (faults) => signUpPage(visit, typed, faults),
        async (proof) => {
          await visit.accounts.start(proof, visit.request.headers['user-agent'], false);
          return visit.goTo(nextOf(visit));
        },
      );
    }),
  ];
};

function invitationOf({ query }: Visit): string {
  return query.get('invitation') ?? '';
}

function nextOf({ query }: Visit): string {
  return ownPath(query.get('next')) ?? ACCOUNT_PATH;
}

function signUpPage(visit: Visit, typed: Typed, faults: Faults): Answer {
  const { text } = boundFields(typed, faults);
  return visit.show(
    { title: 'Sign up', status: statusOf(faults) },
    html`<h1>Create an account</h1>
      ${faultNote(faults)}
      <form class="card" method="post" action="${visit.request.url}">
        ${visit.csrfField()}
        ${text('username', 'Username', {
          hint: '1 to 15 letters, digits and underscores. Shown to others as @username.',
          autocomplete: 'username',
          required: true,
          autofocus: true,
        })}
        ${text('name', 'Display name (optional)', { autocomplete: 'name' })}
        ${newPasswordField(faults, 'Password')}
        <div class="actions"><button>Sign up</button></div>
      </form>
      <p class="hint">Already have an account? <a href="/sign-in${nextQuery(visit.query)}">Sign in</a>.</p>`,
  );
}

function closedPage(visit: Visit, mode: SignUpService['mode']): Answer {
  return visit.show(
    { title: 'Sign-up is closed', status: 403 },
    html`<h1>${mode === 'invitation' ? 'You need an invitation' : 'Sign-up is closed'}</h1>
      <p>
        ${
          mode === 'invitation'
            ? 'Sign-up requires an invitation. An invitation can be used once and expires after fourteen days. Ask for a new one.'
            : 'Accounts on this server are created by an operator. Ask for one.'
        }
      </p>
      <p>Already have an account? <a href="/sign-in${nextQuery(visit.query)}">Sign in</a>.</p>`,
  );
}
