import type { PlainRoute } from '../../../http/plain-route.js';
import { html, type Html } from '../../../api/reference/html.js';
import { PipitError } from '../../../core/errors.js';
import { parseId, type AppId } from '../../../core/ids.js';
import type { AccountDeps } from '../../../services/accounts/account-deps.js';
import {
  connectedApps,
  disconnectApp,
  type ConnectedApp,
} from '../../../services/accounts/connected-apps.js';
import { doneAt, doneNote } from '../../forms.js';
import type { PageRoutes } from '../../page-routes.js';
import { wordsOfPermission, wordsOfScopes } from '../../scope-words.js';
import { dayText } from '../../times.js';
import type { Visit } from '../../visit.js';
import { accountPage, PATHS } from './account-section.js';

/** The apps with access to the user's account, and how to revoke it. */
export function connectedAppRoutes(pages: PageRoutes, accounts: AccountDeps): PlainRoute[] {
  return [
    pages.showToUser(PATHS.apps, async (visit) => {
      const apps = await connectedApps(accounts, visit.viewer.user.id);
      return accountPage(
        visit,
        { title: 'Connected apps', current: PATHS.apps },
        html`${doneNote(visit, { disconnected: 'The app no longer has access to your account.' })}
          <p class="lead">Apps with access to your account.</p>
          ${
            apps.length === 0
              ? html`<p>No connected apps.</p>`
              : html`<ul class="entries">
                  ${apps.map((app) => entry(visit, app))}
                </ul>`
          }`,
      );
    }),
    pages.acceptFromUser(PATHS.apps, async (visit) => {
      const appId = parseId<AppId>(visit.form.get('app') ?? '');
      if (appId === undefined || !(await disconnectApp(accounts, visit.viewer.user.id, appId))) {
        throw new PipitError({ code: 'route-not-found' });
      }
      return visit.goTo(doneAt(PATHS.apps, 'disconnected'));
    }),
  ];
}

function entry(visit: Visit, app: ConnectedApp): Html {
  const words = new Set([
    ...(app.permission === undefined ? [] : wordsOfPermission(app.permission)),
    ...wordsOfScopes([...app.scopes]),
  ]);
  return html`<li>
    <div class="what">
      <p><strong>${app.appName}</strong></p>
      <p class="hint">Since ${dayText(app.sinceMs)}</p>
      <details>
        <summary>Permissions</summary>
        <ul class="points">
          ${[...words].map((line) => html`<li>${line}</li>`)}
        </ul>
      </details>
    </div>
    <form method="post" action="${PATHS.apps}">
      ${visit.csrfField()}
      <input type="hidden" name="app" value="${String(app.appId)}" />
      <button class="danger">Disconnect<span class="hidden"> ${app.appName}</span></button>
    </form>
  </li>`;
}
