import { html } from '../../../api/reference/html.js';
import { PipitError } from '../../../core/errors.js';
import { MAX_SESSIONS, type SignedIn } from '../../../services/accounts/web-sessions.js';
import { entryList, type Entry } from '../../lists.js';
import { momentText } from '../../times.js';
import type { SignedInVisit } from '../../visit.js';
import { accountForm, PATHS } from './account-section.js';
import type { CreateRoutes } from '../../web-context.js';

type Session = SignedIn['session'];

/** The browsers where the user is signed in. */
export const sessionRoutes: CreateRoutes = (pages, { sessions }) =>
  accountForm(pages, {
    path: PATHS.sessions,
    title: 'Sessions',
    done: { ended: 'The browser was signed out.', others: 'All other browsers were signed out.' },
    body: async (visit, notes) => {
      const all = await sessions.list(visit.viewer.user.id);
      return html`${notes}
        <p class="lead">
          Browsers where you are signed in. The maximum is ${MAX_SESSIONS}: a new sign-in ends the least
          recently used session.
        </p>
        ${entryList(all, (session) => entry(visit, session))}
        ${
          all.length > 1 &&
          html`<form method="post" action="${PATHS.sessions}">
            ${visit.csrfField()}
            <button class="danger" name="others" value="yes">Sign out all other browsers</button>
          </form>`
        }`;
    },
    submit: async ({ form, viewer }) => {
      if (form.has('others')) {
        await sessions.endAll(viewer.user.id, viewer.session.tokenHash);
        return 'others';
      }
      if (await sessions.endByHash(viewer.user.id, form.get('session') ?? '')) return 'ended';
      throw new PipitError({ code: 'route-not-found' });
    },
  });

function entry(visit: SignedInVisit, session: Session): Entry {
  const isThis = session.tokenHash === visit.viewer.session.tokenHash;
  const browser = browserName(session.userAgent);
  return {
    what: html`<p><strong>${browser}</strong>${isThis && html` <span class="mark">this browser</span>`}</p>
      <p class="hint">
        Signed in ${momentText(session.createdAtMs)}; expires ${momentText(session.expiresAtMs)} if unused
      </p>`,
    aside:
      !isThis &&
      html`<form method="post" action="${PATHS.sessions}">
        ${visit.csrfField()}
        <button class="plain" name="session" value="${session.tokenHash}">
          Sign out<span class="hidden"> ${browser}</span>
        </button>
      </form>`,
  };
}

/** Order matters: later browsers include the names of earlier ones in their user agent. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrom', 'Chrome'],
  ['Safari', 'Safari'],
] as const;
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/** Returns a display name for the browser; `userAgent` is unverified. */
function browserName(userAgent: string | undefined): string {
  const known = (names: readonly (readonly [string, string])[]) =>
    names.find(([part]) => userAgent?.includes(part))?.[1];
  const browser = known(BROWSERS);
  const system = known(SYSTEMS);
  if (browser === undefined && system === undefined) return 'Unknown browser';
  return [browser ?? 'Browser', system].filter((part) => part !== undefined).join(' on ');
}
