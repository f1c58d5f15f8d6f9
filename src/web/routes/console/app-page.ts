import type { Answer } from '../../../http/answer.js';
import { html, type Html } from '../../../api/reference/html.js';
import { changeOwnApp, requireOwnApp, type NewOwnApp, type OwnApp } from '../../../services/apps/own-apps.js';
import { LEVEL_WORDS, PERMISSION_WORDS, TRACK_WORDS } from '../../scope-words.js';
import type { Faults } from '../../fields.js';
import { attempt, doneAt, doneNote, faultNote, NO_FAULTS, statusOf } from '../../forms.js';
import { factList } from '../../lists.js';
import { CONSOLE_PATH } from '../../navigation.js';
import { dayText } from '../../times.js';
import type { SignedInVisit } from '../../visit.js';
import { deleteCard, DELETES_APP } from '../delete-card.js';
import { appFields, readAppForm } from './app-form.js';
import { appIdOf, credentialsPage } from './app-keys.js';
import { limitsCard, PLOTTED_DAYS, usageCard } from './usage-view.js';
import type { CreateRoutes, WebContext } from '../../web-context.js';

/** The page of one of the user's own apps. */
export const appPageRoutes: CreateRoutes = (pages, context) => {
  const { accounts } = context;
  const path = `${CONSOLE_PATH}/{id}`;
  return [
    pages.showToUser(path, async (visit) => {
      const app = await requireOwnApp(accounts, visit.viewer.user.id, appIdOf(visit));
      return appPage(context, visit, { app, input: app, faults: NO_FAULTS });
    }),
    pages.acceptFromUser(path, async (visit) => {
      const { user } = visit.viewer;
      const input = readAppForm(visit.form);
      const app = await requireOwnApp(accounts, user.id, appIdOf(visit));
      return attempt(
        () => changeOwnApp(accounts, user.id, app.id, input),
        (faults) => appPage(context, visit, { app, input, faults }),
        ({ isRaised, clientSecret }) =>
          clientSecret === undefined
            ? visit.goTo(doneAt(`${CONSOLE_PATH}/${String(app.id)}`, isRaised ? 'raised' : 'saved'))
            : credentialsPage(visit, app, 'Client secret', { clientId: app.clientId, clientSecret }),
      );
    }),
  ];
};

const DONE = {
  saved: 'The app was saved.',
  raised:
    'The app has more permissions now, but existing tokens keep their old permissions. Create a new access token for yourself, and ask users to authorize the app again.',
} as const;

interface Shown {
  readonly app: OwnApp;
  readonly input: NewOwnApp;
  readonly faults: Faults;
}

async function appPage(
  { usage, limitsLeft, clock }: WebContext,
  visit: SignedInVisit,
  { app, input, faults }: Shown,
): Promise<Answer> {
  const path = `${CONSOLE_PATH}/${String(app.id)}`;
  const report = await usage.report(app, PLOTTED_DAYS);
  return visit.show(
    { title: app.name, wide: true, status: statusOf(faults) },
    html`<p><a href="${CONSOLE_PATH}">Your apps</a></p>
      <h1>${app.name}</h1>
      ${doneNote(visit, DONE)} ${faultNote(faults)} ${factsCard(app)} ${usageCard(report, clock())}
      ${limitsCard(limitsLeft(app, visit.viewer.user.id), clock())} ${webhooksCard(path)}
      ${requestsCard(path)}
      <form class="card" method="post" action="${path}">
        <h2>Settings</h2>
        ${visit.csrfField()} ${appFields(input, faults)}
        <p class="hint">
          Raised permissions do not apply to existing tokens, which must be issued again. Lowered permissions
          take effect at once.
        </p>
        <div class="actions"><button>Save</button></div>
      </form>
      ${keysCard(visit, app, path)} ${deleteCard(visit, app.name, path, DELETES_APP)}`,
  );
}

function factsCard(app: OwnApp): Html {
  return html`<div class="card">
    <h2>About</h2>
    ${factList({
      'App ID': html`<code>${String(app.id)}</code>`,
      'API key': html`<code>${app.apiKey}</code>`,
      'Client ID': html`<code>${app.clientId}</code>`,
      Permissions: PERMISSION_WORDS[app.permissions],
      'Access level': LEVEL_WORDS[app.accessLevel],
      Track: TRACK_WORDS[app.track],
      Created: dayText(app.createdAtMs),
    })}
    <p class="hint">Operators of this server set the access level and the track.</p>
  </div>`;
}

function webhooksCard(path: string): Html {
  return html`<div class="card">
    <h2>Webhooks</h2>
    <p>Addresses to which this server sends events of the app.</p>
    <p><a class="button plain" href="${path}/webhooks">Webhooks and their deliveries</a></p>
  </div>`;
}

function requestsCard(path: string): Html {
  return html`<div class="card">
    <h2>Requests</h2>
    <p>What the app sends and gets, live, and why the server refused a request.</p>
    <p><a class="button plain" href="${path}/requests">Inspect requests</a></p>
  </div>`;
}

function keysCard(visit: SignedInVisit, app: OwnApp, path: string): Html {
  const { username } = visit.viewer.user;
  return html`<div class="card">
    <h2>Keys and tokens</h2>
    <form method="post" action="${path}/tokens">
      <p>
        An access token lets the app act as you, @${username}:
        ${PERMISSION_WORDS[app.permissions].toLowerCase()}. Earlier tokens remain valid;
        <a href="/my-account/connected-apps">disconnecting the app</a> revokes them all.
      </p>
      ${visit.csrfField()}
      <p><button class="plain">Create an access token</button></p>
    </form>
    <details>
      <summary class="danger">Regenerate all keys</summary>
      <form method="post" action="${path}/keys">
        <p>
          The current API key and secret, bearer token${app.confidential && ' and client secret'} stop working
          at once. Users’ tokens remain valid, but requests must be signed with the new keys.
        </p>
        ${visit.csrfField()}
        <button class="danger">Yes, regenerate them</button>
      </form>
    </details>
  </div>`;
}
