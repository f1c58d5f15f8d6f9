import type { Answer } from '../../../http/answer.js';
import { html } from '../../../api/reference/html.js';
import { createOwnApp, type NewOwnApp, type OwnApp } from '../../../services/apps/own-apps.js';
import { LEVEL_WORDS, PERMISSION_WORDS } from '../../scope-words.js';
import type { Faults } from '../../fields.js';
import { attempt, doneNote, faultNote, NO_FAULTS, statusOf } from '../../forms.js';
import { entryList, linkEntry, type Entry } from '../../lists.js';
import { GUIDE_PATHS } from '../../docs/docs-page.js';
import { CONSOLE_PATH } from '../../navigation.js';
import type { Visit } from '../../visit.js';
import { appFields, readAppForm } from './app-form.js';
import { credentialsPage } from './credentials-view.js';
import type { CreateRoutes } from '../../web-context.js';

const NEW_PATH = `${CONSOLE_PATH}/new`;
const EMPTY: NewOwnApp = {
  name: '',
  permissions: 'read',
  redirectUris: [],
  description: '',
  website: '',
  confidential: true,
};

const NO_APPS = html`<p class="absent">
  You have no apps yet. An app provides the keys with which a program uses the API.
  <a href="${NEW_PATH}">Create one</a>, and follow the <a href="${GUIDE_PATHS.firstSteps}">first steps</a>.
</p>`;

/** A user's apps, and the form for a new one. */
export const appListRoutes: CreateRoutes = (pages, { accounts, publicUrl: baseUrl }) => [
  pages.showToUser(CONSOLE_PATH, async (visit) => {
    const apps = await accounts.apps.listOf(visit.viewer.user.id);
    return visit.show(
      { title: 'Your apps', wide: true },
      html`<div class="bar">
          <h1>Your apps</h1>
          <a class="button small" href="${NEW_PATH}">Create an app</a>
        </div>
        ${doneNote(visit, { deleted: 'The app and all its tokens were deleted.' })}
        ${entryList(apps, entry, NO_APPS)}`,
    );
  }),
  pages.showToUser(NEW_PATH, (visit) => newAppPage(visit, EMPTY, NO_FAULTS)),
  pages.acceptFromUser(NEW_PATH, async (visit) => {
    const input = readAppForm(visit.form);
    return attempt(
      () => createOwnApp(accounts, visit.viewer.user.id, input),
      (faults) => newAppPage(visit, input, faults),
      ({ app, credentials }) =>
        credentialsPage(visit, app, { title: 'App created', lead: app.name, credentials, baseUrl }),
    );
  }),
];

function entry({ id, name, permissions, accessLevel }: OwnApp): Entry {
  const hint = `${PERMISSION_WORDS[permissions]} · ${LEVEL_WORDS[accessLevel]} access`;
  return linkEntry(`${CONSOLE_PATH}/${String(id)}`, name, hint);
}

function newAppPage(visit: Visit, input: NewOwnApp, faults: Faults): Answer {
  return visit.show(
    { title: 'Create an app', status: statusOf(faults) },
    html`<h1>Create an app</h1>
      ${faultNote(faults)}
      <form class="card" method="post" action="${NEW_PATH}">
        ${visit.csrfField()} ${appFields(input, faults)}
        <div class="actions">
          <button>Create</button>
          <a class="button plain" href="${CONSOLE_PATH}">Cancel</a>
        </div>
      </form>`,
  );
}
