import type { Answer } from '../../../http/answer.js';
import type { PlainRoute } from '../../../http/plain-route.js';
import { html, type Html } from '../../../api/reference/html.js';
import type { Faults } from '../../fields.js';
import { attempt, doneAt, doneNote, faultNote, NO_FAULTS, statusOf } from '../../forms.js';
import { ACCOUNT_PATH, NOTICES_PATH } from '../../navigation.js';
import type { PageRoutes } from '../../page-routes.js';
import { sectionOf } from '../../section-page.js';
import type { FormVisit, SignedInVisit } from '../../visit.js';
import type { ProvenPassword } from '../../../services/accounts/authority.js';
import type { WebContext } from '../../web-context.js';

const SECTION = sectionOf('Your account', {
  profile: [ACCOUNT_PATH, 'Profile'],
  privacy: [`${ACCOUNT_PATH}/privacy`, 'Privacy'],
  appearance: [`${ACCOUNT_PATH}/appearance`, 'Appearance'],
  followRequests: [`${ACCOUNT_PATH}/follow-requests`, 'Follow requests'],
  blocked: [`${ACCOUNT_PATH}/blocked`, 'Blocked people'],
  muted: [`${ACCOUNT_PATH}/muted`, 'Muted people'],
  apps: [`${ACCOUNT_PATH}/connected-apps`, 'Connected apps'],
  password: [`${ACCOUNT_PATH}/password`, 'Password'],
  sessions: [`${ACCOUNT_PATH}/sessions`, 'Sessions'],
  notices: [NOTICES_PATH, 'Notices'],
  closing: [`${ACCOUNT_PATH}/closing`, 'Close account'],
});

/** The paths of the account pages. */
export const PATHS = SECTION.paths;

export const accountPage = SECTION.page;

/** A page of the account with forms that post to its own path. */
interface AccountForm {
  readonly path: string;
  readonly title: string;
  /** The confirmations by name. */
  readonly done: Readonly<Record<string, string>>;
  /** `notes` confirm the last submission or announce its errors; `form` is what was submitted with errors. */
  readonly body: (
    visit: SignedInVisit,
    notes: Html,
    faults: Faults,
    form?: URLSearchParams,
  ) => Html | Promise<Html>;
  /** Returns the name of the confirmation. Throws `invalid-request` for errors in the fields. */
  readonly submit: (visit: SignedInVisit<FormVisit>) => Promise<string>;
}

/** Returns the routes of a page with forms. */
export function accountForm(
  pages: PageRoutes,
  { path, title, done, body, submit }: AccountForm,
): PlainRoute[] {
  const show = async (visit: SignedInVisit, faults: Faults, form?: URLSearchParams): Promise<Answer> => {
    const notes = html`${doneNote(visit, done)} ${faultNote(faults)}`;
    const page = { title, current: path, status: statusOf(faults) };
    return accountPage(visit, page, await body(visit, notes, faults, form));
  };
  return [
    pages.showToUser(path, (visit) => show(visit, NO_FAULTS)),
    pages.acceptFromUser(path, (visit) =>
      attempt(
        () => submit(visit),
        (faults) => show(visit, faults, visit.form),
        (what) => visit.goTo(doneAt(path, what)),
      ),
    ),
  ];
}

export const WRONG_PASSWORD = 'The password is wrong.';

/**
 * Verifies the signed-in user's password, for actions that an open browser alone must not permit. Returns undefined
 * for a wrong one. Callers must check the proof again in their transaction. Throws `rate-limited` as sign-in does.
 */
export async function proveOwnPassword(
  { passwords, addressOf }: WebContext,
  { viewer, request }: SignedInVisit,
  password: string,
): Promise<ProvenPassword | undefined> {
  const { username } = viewer.user;
  const outcome = await passwords.attempt({ username, password, address: addressOf(request) });
  return outcome.kind === 'signed-in' ? outcome.proof : undefined;
}
