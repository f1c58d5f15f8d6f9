import type { Answer } from '../../../http/answer.js';
import { html } from '../../../api/reference/html.js';
import { parseId, type AppId } from '../../../core/ids.js';
import type { AppCredentials } from '../../../services/apps/app-credentials.js';
import {
  deleteOwnApp,
  issueOwnToken,
  regenerateOwnKeys,
  requireOwnApp,
  type OwnApp,
} from '../../../services/apps/own-apps.js';
import { PERMISSION_WORDS } from '../../scope-words.js';
import { CONSOLE_PATH } from '../../navigation.js';
import { doneAt } from '../../forms.js';
import type { Visit } from '../../visit.js';
import { secretList } from '../../lists.js';
import type { CreateRoutes } from '../../web-context.js';

/** Regenerating keys, creating the owner's token, and deleting an app. */
export const appKeyRoutes: CreateRoutes = (pages, { accounts }) => [
  pages.acceptFromUser(`${CONSOLE_PATH}/{id}/keys`, async (visit) => {
    const { app, credentials } = await regenerateOwnKeys(accounts, visit.viewer.user.id, appIdOf(visit));
    return credentialsPage(visit, app, 'New keys', credentials);
  }),
  pages.acceptFromUser(`${CONSOLE_PATH}/{id}/tokens`, async (visit) => {
    const { user } = visit.viewer;
    const app = await requireOwnApp(accounts, user.id, appIdOf(visit));
    const token = await issueOwnToken(accounts, user.id, app.id);
    const access = PERMISSION_WORDS[app.permissions].toLowerCase();
    const lead = `It gives ${app.name} access to the account @${user.username}: ${access}.`;
    return secretsPage(visit, app, 'Access token', lead, {
      'Access token': token.accessToken,
      'Access token secret': token.accessTokenSecret,
    });
  }),
  pages.acceptFromUser(`${CONSOLE_PATH}/{id}/delete`, async (visit) => {
    await deleteOwnApp(accounts, visit.viewer.user.id, appIdOf(visit));
    return visit.goTo(doneAt(CONSOLE_PATH, 'deleted'));
  }),
];

/** Returns the app id in the path; undefined when it is malformed. */
export function appIdOf({ request }: Visit): AppId | undefined {
  return parseId<AppId>(request.path['id'] ?? '');
}

/** Returns the page that shows an app's keys once. */
export function credentialsPage(
  visit: Visit,
  app: OwnApp,
  title: string,
  credentials: Partial<AppCredentials>,
): Answer {
  return secretsPage(visit, app, title, app.name, {
    'API key': credentials.apiKey,
    'API secret': credentials.apiSecret,
    'Bearer token': credentials.bearerToken,
    'Client ID': credentials.clientId,
    'Client secret': credentials.clientSecret,
  });
}

function secretsPage(
  visit: Visit,
  { id }: OwnApp,
  title: string,
  lead: string,
  secrets: Readonly<Record<string, string | undefined>>,
): Answer {
  return visit.show(
    { title },
    html`<h1>${title}</h1>
      <p class="lead">${lead}</p>
      <div class="card">
        ${secretList(secrets)}
        <div class="actions">
          <a class="button" href="${CONSOLE_PATH}/${String(id)}">I have copied them</a>
        </div>
      </div>`,
  );
}
