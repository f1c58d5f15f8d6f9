import { html } from '../../../api/reference/html.js';
import { PipitError } from '../../../core/errors.js';
import { parseId, type AppId } from '../../../core/ids.js';
import {
  connectedApps,
  disconnectApp,
  type ConnectedApp,
} from '../../../services/accounts/connected-apps.js';
import { entryList, points, type Entry } from '../../lists.js';
import { wordsOfPermission, wordsOfScopes } from '../../scope-words.js';
import { dayText } from '../../times.js';
import type { Visit } from '../../visit.js';
import { accountForm, PATHS } from './account-section.js';
import type { CreateRoutes } from '../../web-context.js';

/** The apps with access to the user's account, and how to revoke it. */
export const connectedAppRoutes: CreateRoutes = (pages, { accounts }) =>
  accountForm(pages, {
    path: PATHS.apps,
    title: 'Connected apps',
    done: { disconnected: 'The app no longer has access to your account.' },
    body: async (visit, notes) => {
      const apps = await connectedApps(accounts, visit.viewer.user.id);
      return html`${notes}
        <p class="lead">Apps with access to your account.</p>
        ${entryList(apps, (app) => entry(visit, app), html`<p>No connected apps.</p>`)}`;
    },
    submit: async ({ form, viewer }) => {
      const appId = parseId<AppId>(form.get('app') ?? '');
      if (appId === undefined || !(await disconnectApp(accounts, viewer.user.id, appId))) {
        throw new PipitError({ code: 'route-not-found' });
      }
      return 'disconnected';
    },
  });

function entry(visit: Visit, app: ConnectedApp): Entry {
  const words = new Set([
    ...(app.permission === undefined ? [] : wordsOfPermission(app.permission)),
    ...wordsOfScopes([...app.scopes]),
  ]);
  return {
    what: html`<p><strong>${app.appName}</strong></p>
      <p class="hint">Since ${dayText(app.sinceMs)}</p>
      <details>
        <summary>Permissions</summary>
        ${points([...words])}
      </details>`,
    aside: html`<form method="post" action="${PATHS.apps}">
      ${visit.csrfField()}
      <input type="hidden" name="app" value="${String(app.appId)}" />
      <button class="danger">Disconnect<span class="hidden"> ${app.appName}</span></button>
    </form>`,
  };
}
