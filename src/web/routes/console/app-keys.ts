import type { Answer } from '../../../http/answer.js';
import { html, type Html } from '../../../api/reference/html.js';
import { regenerateOwnKeys, requireOwnApp, type OwnApp } from '../../../services/apps/own-apps.js';
import {
  issueOwnOAuth1,
  issueOwnOAuth2,
  listOwnTokens,
  revokeOwnToken,
  type OwnToken,
} from '../../../services/apps/own-tokens.js';
import { radios } from '../../fields.js';
import { doneAt, doneNote } from '../../forms.js';
import { entryList, type Entry } from '../../lists.js';
import { CONSOLE_PATH } from '../../navigation.js';
import { PERMISSION_WORDS } from '../../scope-words.js';
import { dayText, momentText } from '../../times.js';
import type { SignedInVisit } from '../../visit.js';
import type { CreateRoutes, WebContext } from '../../web-context.js';
import { appIdOf, appPage, appPath } from './app-section.js';
import { credentialList, credentialsPage, type Credentials } from './credentials-view.js';

const DONE = { revoked: 'The token was revoked.' } as const;

/** The keys of an app, and the tokens of its owner. */
export const appKeyRoutes: CreateRoutes = (pages, context) => {
  const { accounts, publicUrl: baseUrl } = context;
  const path = `${CONSOLE_PATH}/{id}`;
  const ownApp = (visit: SignedInVisit) => requireOwnApp(accounts, visit.viewer.user.id, appIdOf(visit));
  return [
    pages.showToUser(`${path}/keys`, async (visit) => keysPage(context, visit, await ownApp(visit))),
    pages.acceptFromUser(`${path}/keys`, async (visit) => {
      const { app, credentials } = await regenerateOwnKeys(accounts, visit.viewer.user.id, appIdOf(visit));
      return credentialsPage(visit, app, { title: 'New keys', lead: app.name, credentials, baseUrl });
    }),
    pages.acceptFromUser(`${path}/tokens`, async (visit) => {
      const app = await ownApp(visit);
      const isOAuth2 = visit.form.get('kind') === 'oauth2';
      return credentialsPage(visit, app, {
        title: isOAuth2 ? 'OAuth 2.0 token' : 'OAuth 1.0a token',
        lead: `It gives ${app.name} access to the account @${visit.viewer.user.username}: ${accessWords(app)}.`,
        credentials: await newToken(context, visit, app, isOAuth2),
        baseUrl,
      });
    }),
    pages.acceptFromUser(`${path}/tokens/{token}/revoke`, async (visit) => {
      const app = await ownApp(visit);
      await revokeOwnToken(accounts, visit.viewer.user.id, app.id, visit.request.path['token'] ?? '');
      return visit.goTo(doneAt(appPath(app, 'keys'), 'revoked'));
    }),
  ];
};

async function newToken(
  { accounts }: WebContext,
  { viewer: { user } }: SignedInVisit,
  { id, apiKey, clientId }: OwnApp,
  isOAuth2: boolean,
): Promise<Credentials> {
  if (isOAuth2) {
    const { accessToken, refreshToken } = await issueOwnOAuth2(accounts, user.id, id);
    return { clientId, oauth2AccessToken: accessToken, oauth2RefreshToken: refreshToken };
  }
  const { accessToken, accessTokenSecret } = await issueOwnOAuth1(accounts, user.id, id);
  return { apiKey, accessToken, accessTokenSecret };
}

function accessWords({ permissions }: OwnApp): string {
  return PERMISSION_WORDS[permissions].toLowerCase();
}

async function keysPage({ accounts }: WebContext, visit: SignedInVisit, app: OwnApp): Promise<Answer> {
  const tokens = await listOwnTokens(accounts, visit.viewer.user.id, app);
  return appPage(
    visit,
    app,
    { tab: 'keys' },
    html`${doneNote(visit, DONE)}
      <div class="card">
        <h2>Keys of the app</h2>
        ${credentialList({ apiKey: app.apiKey, clientId: app.clientId })}
        <p class="hint">
          Their secrets and the bearer token were shown when they were made. If they are lost, regenerate
          them.
        </p>
        ${regenerateForm(visit, app)}
      </div>
      <div class="card">
        <h2>Your tokens</h2>
        <p>A token lets the app act as you, @${visit.viewer.user.username}.</p>
        ${entryList(tokens, (token) => tokenEntry(visit, app, token), NO_TOKENS)} ${tokenForm(visit, app)}
      </div>`,
  );
}

const NO_TOKENS = html`<p class="absent">You have no tokens for this app yet.</p>`;

function tokenForm(visit: SignedInVisit, app: OwnApp): Html {
  return html`<form method="post" action="${appPath(app)}/tokens">
    ${visit.csrfField()}
    ${radios({
      name: 'kind',
      legend: 'New token',
      choices: {
        oauth2: 'OAuth 2.0: an access token for two hours, and a refresh token',
        oauth1: 'OAuth 1.0a: an access token and its secret, which do not expire',
      },
      chosen: 'oauth2',
    })}
    <p class="hint">It may do what the app’s permission allows: ${accessWords(app)}.</p>
    <div class="actions"><button>Create a token</button></div>
  </form>`;
}

function tokenEntry(visit: SignedInVisit, app: OwnApp, token: OwnToken): Entry {
  const { id, kind, createdAtMs, expiresAtMs, permission = app.permissions } = token;
  const name = NAMES[kind];
  return {
    what: html`<p>
        <strong>${name}</strong> ${kind === 'oauth1' && html`<code>${token.key.slice(0, 24)}…</code>`}
      </p>
      <p class="hint">
        ${PERMISSION_WORDS[permission]} · since
        ${dayText(createdAtMs)}${expiresAtMs !== undefined && html` · until ${momentText(expiresAtMs)}`}
      </p>`,
    aside: html`<details>
      <summary class="danger">Revoke</summary>
      <form method="post" action="${appPath(app)}/tokens/${id}/revoke">
        ${visit.csrfField()}
        <button class="danger">Yes, revoke it<span class="hidden">: ${name}</span></button>
      </form>
    </details>`,
  };
}

const NAMES: Readonly<Record<OwnToken['kind'], string>> = {
  oauth1: 'OAuth 1.0a',
  access: 'OAuth 2.0, access token',
  refresh: 'OAuth 2.0, with refresh token',
};

function regenerateForm(visit: SignedInVisit, app: OwnApp): Html {
  return html`<details>
    <summary class="danger">Regenerate all keys</summary>
    <form method="post" action="${appPath(app, 'keys')}">
      <p>
        The current API key and secret, bearer token${app.confidential && ' and client secret'} stop working
        at once. Users’ tokens remain valid, but requests must be signed with the new keys.
      </p>
      ${visit.csrfField()}
      <button class="danger">Yes, regenerate them</button>
    </form>
  </details>`;
}
