import type { Answer } from '../../../http/answer.js';
import { html } from '../../../api/reference/html.js';
import {
  changeOwnApp,
  deleteOwnApp,
  requireOwnApp,
  type NewOwnApp,
  type OwnApp,
} from '../../../services/apps/own-apps.js';
import type { Faults } from '../../fields.js';
import { attempt, doneAt, doneNote, faultNote, NO_FAULTS, statusOf } from '../../forms.js';
import { CONSOLE_PATH } from '../../navigation.js';
import type { SignedInVisit } from '../../visit.js';
import type { CreateRoutes } from '../../web-context.js';
import { deleteCard, DELETES_APP } from '../delete-card.js';
import { appFields, readAppForm } from './app-form.js';
import { appIdOf, appPage, appPath } from './app-section.js';
import { credentialsPage } from './credentials-view.js';

const DONE = {
  saved: 'The app was saved.',
  raised:
    'The app has more permissions now, but existing tokens keep their old permissions. Create a new access token for yourself, and ask users to authorize the app again.',
} as const;

/** The settings of an app: name, permissions, redirect URIs; and its end. */
export const appSettingsRoutes: CreateRoutes = (pages, { accounts, publicUrl: baseUrl }) => {
  const path = `${CONSOLE_PATH}/{id}`;
  const ownApp = (visit: SignedInVisit) => requireOwnApp(accounts, visit.viewer.user.id, appIdOf(visit));
  return [
    pages.showToUser(`${path}/settings`, async (visit) => {
      const app = await ownApp(visit);
      return settingsPage(visit, app, app, NO_FAULTS);
    }),
    pages.acceptFromUser(`${path}/settings`, async (visit) => {
      const input = readAppForm(visit.form);
      const app = await ownApp(visit);
      return attempt(
        () => changeOwnApp(accounts, visit.viewer.user.id, app.id, input),
        (faults) => settingsPage(visit, app, input, faults),
        ({ isRaised, clientSecret }) => {
          if (clientSecret === undefined)
            return visit.goTo(doneAt(appPath(app, 'settings'), isRaised ? 'raised' : 'saved'));
          const credentials = { clientId: app.clientId, clientSecret };
          return credentialsPage(visit, app, {
            title: 'Client secret',
            lead: app.name,
            credentials,
            baseUrl,
          });
        },
      );
    }),
    pages.acceptFromUser(`${path}/delete`, async (visit) => {
      await deleteOwnApp(accounts, visit.viewer.user.id, appIdOf(visit));
      return visit.goTo(doneAt(CONSOLE_PATH, 'deleted'));
    }),
  ];
};

function settingsPage(visit: SignedInVisit, app: OwnApp, input: NewOwnApp, faults: Faults): Answer {
  return appPage(
    visit,
    app,
    { tab: 'settings', status: statusOf(faults) },
    html`${doneNote(visit, DONE)} ${faultNote(faults)}
      <form class="card" method="post" action="${appPath(app, 'settings')}">
        ${visit.csrfField()} ${appFields(input, faults)}
        <p class="hint">
          Raised permissions do not apply to existing tokens, which must be issued again. Lowered permissions
          take effect at once.
        </p>
        <div class="actions"><button>Save</button></div>
      </form>
      ${deleteCard(visit, app.name, appPath(app), DELETES_APP)}`,
  );
}
