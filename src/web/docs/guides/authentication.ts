import { html, type Html } from '../../../api/reference/html.js';
import { PERMISSIONS, SCOPES } from '../../../core/access.js';
import { points, textTable } from '../../lists.js';
import { CONSOLE_PATH } from '../../navigation.js';
import { PERMISSION_WORDS, wordsOfPermission, wordsOfScopes } from '../../scope-words.js';
import { codeView, copied, type CodePlace } from '../code-view.js';
import type { ExampleRequest, Pairs } from '../code/example-request.js';
import type { GuideReader } from './guide.js';

/** Returns the guide to the three kinds of credentials. */
export function authenticationGuide({ context, place }: GuideReader): Html {
  const { publicUrl: baseUrl } = context;
  return html`<p class="lead">
      The page of each endpoint says which of three credentials it takes.
      <a href="${CONSOLE_PATH}">Your apps</a> give them all.
    </p>
    ${CHOICE} ${appToken(baseUrl, place)} ${oauth2(baseUrl, place)} ${oauth1(baseUrl, place)} ${rights()}`;
}

const CHOICE = textTable(
  ['Credential', 'Acts as', 'Good for'],
  [
    [
      html`<a href="#app">App’s bearer token</a>`,
      'the app',
      'reading what is public, searching, counting, streams',
    ],
    [html`<a href="#oauth2">OAuth 2.0</a>`, 'a user, within scopes', 'new programs that act for people'],
    [
      html`<a href="#oauth1">OAuth 1.0a</a>`,
      'a user, within the app’s permission',
      'bots of your own, version 1.1, older libraries',
    ],
  ],
);

/** Returns a request with a form, such as those for tokens. */
function formRequest(url: string, credential: ExampleRequest['credential'], fields: Pairs): ExampleRequest {
  return { method: 'POST', url, query: [], credential, body: { kind: 'form', fields }, answer: 'json' };
}

function appToken(baseUrl: string, place: CodePlace): Html {
  const request = formRequest(`${baseUrl}/oauth2/token`, 'keys', [['grant_type', 'client_credentials']]);
  return html`<h2 id="app">App’s bearer token</h2>
    <p>
      The page of a new app shows it. A program that has the API key and secret asks for it; the answer is the
      same each time, until the token is revoked:
    </p>
    ${codeView(request, place, 'app-code')}
    <p>
      Requests carry it as <code>Authorization: Bearer …</code>.
      <code>POST /oauth2/invalidate_token</code> with <code>access_token</code> revokes it.
    </p>`;
}

const CALLBACK = 'https://app.example/callback';

function oauth2(baseUrl: string, place: CodePlace): Html {
  const tokenUrl = `${baseUrl}/2/oauth2/token`;
  const redeem: Pairs = [
    ['grant_type', 'authorization_code'],
    ['code', 'THE_CODE'],
    ['redirect_uri', CALLBACK],
    ['code_verifier', 'THE_VERIFIER'],
  ];
  const refresh: Pairs = [
    ['grant_type', 'refresh_token'],
    ['refresh_token', 'THE_REFRESH_TOKEN'],
  ];
  return html`<h2 id="oauth2">OAuth 2.0</h2>
    <p>
      The authorization code flow with PKCE. For a token of your own, skip it: the app’s page creates one.
    </p>
    <ol class="steps">
      <li>
        <p>Register where people return, such as <code>${CALLBACK}</code>, in the settings of your app.</p>
      </li>
      <li>
        <p>Draw a verifier for each sign-in, and derive its challenge:</p>
        ${copied(PKCE)}
      </li>
      <li>
        <p>Open this address in the person’s browser, with a <code>state</code> that you can recognize:</p>
        ${copied(authorizeUrl(baseUrl))}
        <p>
          The person signs in and decides. The browser returns with <code>code</code> and <code>state</code>,
          or with <code>error=access_denied</code>.
        </p>
      </li>
      <li>
        <p>
          Exchange the code within 30 seconds. A public client sends <code>client_id</code> in place of its
          secret.
        </p>
        ${codeView(formRequest(tokenUrl, 'client', redeem), place, 'redeem')}
      </li>
      <li>
        <p>
          Send the <code>access_token</code> as <code>Authorization: Bearer …</code>. It lasts two hours. With
          the scope <code>offline.access</code> there is a refresh token, which gives a new pair once:
        </p>
        ${codeView(formRequest(tokenUrl, 'client', refresh), place, 'refresh')}
      </li>
      <li>
        <p><code>POST /2/oauth2/revoke</code> with <code>token</code> ends it.</p>
      </li>
    </ol>
    <p class="hint">
      Libraries find these addresses at
      <a href="/.well-known/oauth-authorization-server">/.well-known/oauth-authorization-server</a>.
    </p>`;
}

const PKCE = `VERIFIER=$(openssl rand -hex 32)
CHALLENGE=$(printf %s "$VERIFIER" | openssl dgst -sha256 -binary | base64 | tr '+/' '-_' | tr -d '=')`;

function authorizeUrl(baseUrl: string): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'YOUR_CLIENT_ID',
    redirect_uri: CALLBACK,
    scope: 'tweet.read users.read tweet.write offline.access',
    state: 'YOUR_STATE',
    code_challenge: 'THE_CHALLENGE',
    code_challenge_method: 'S256',
  });
  return `${baseUrl}/i/oauth2/authorize?${query.toString()}`;
}

function oauth1(baseUrl: string, place: CodePlace): Html {
  const request: ExampleRequest = {
    method: 'GET',
    url: `${baseUrl}/1.1/account/verify_credentials.json`,
    query: [],
    credential: 'signed',
    answer: 'json',
  };
  return html`<h2 id="oauth1">OAuth 1.0a</h2>
    <p>
      Each request is signed with four secrets: the API key and secret of the app, and an access token and its
      secret of a user. Libraries sign for you; by hand it looks like this:
    </p>
    ${codeView(request, place, 'signed')}
    <p>Your own access token is on the page of your app. Other people give theirs in three steps:</p>
    <ol class="points">
      <li>
        <code>POST /oauth/request_token</code> with <code>oauth_callback</code>, a registered address or
        <code>oob</code>, returns a request token for ten minutes.
      </li>
      <li>
        The person opens <code>${baseUrl}/oauth/authorize?oauth_token=…</code> and returns with
        <code>oauth_verifier</code>, with <code>denied</code>, or, after <code>oob</code>, with a PIN.
      </li>
      <li>
        <code>POST /oauth/access_token</code> with the verifier returns the access token and its secret. They
        do not expire.
      </li>
    </ol>`;
}

function rights(): Html {
  return html`<h2 id="scopes">Scopes of OAuth 2.0</h2>
    <dl class="scopes">
      ${SCOPES.map(
        (scope) =>
          html`<dt><code>${scope}</code></dt>
            <dd>${wordsOfScopes([scope])[0]}</dd>`,
      )}
    </dl>
    <h2 id="permissions">Permissions of apps</h2>
    <p>A token copies the app’s permission when it is issued. After raising it, issue new tokens.</p>
    ${PERMISSIONS.map(
      (permission) =>
        html`<h3>${PERMISSION_WORDS[permission]}</h3>
          ${points(wordsOfPermission(permission))}`,
    )}
    <h2 id="levels">Levels and tracks</h2>
    <p>
      Operators give each app an access level and a track. Essential apps have version 2 only, and queries of
      512 characters. Elevated apps also have advanced operators and version 1.1. Full-archive search and
      counts need the track of academic research.
    </p>`;
}
