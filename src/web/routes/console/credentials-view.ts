import type { Answer } from '../../../http/answer.js';
import { html, type Html } from '../../../api/reference/html.js';
import type { OwnApp } from '../../../services/apps/own-apps.js';
import { note } from '../../fields.js';
import { copiedCode, factList } from '../../lists.js';
import type { Visit } from '../../visit.js';
import { appPath } from './app-section.js';

/**
 * The label of each credential, and its variable in the file for programs. The variables of OAuth 1.0a and of apps are
 * those that twarc and the samples of the original read.
 */
const CREDENTIALS = {
  apiKey: ['API key', 'CONSUMER_KEY'],
  apiSecret: ['API secret', 'CONSUMER_SECRET'],
  bearerToken: ['Bearer token', 'BEARER_TOKEN'],
  clientId: ['Client ID', 'CLIENT_ID'],
  clientSecret: ['Client secret', 'CLIENT_SECRET'],
  accessToken: ['Access token', 'ACCESS_TOKEN'],
  accessTokenSecret: ['Access token secret', 'ACCESS_TOKEN_SECRET'],
  oauth2AccessToken: ['OAuth 2.0 access token', 'OAUTH2_ACCESS_TOKEN'],
  oauth2RefreshToken: ['OAuth 2.0 refresh token', 'OAUTH2_REFRESH_TOKEN'],
} as const;

/** Credentials by name; undefined ones are not shown. */
export type Credentials = Partial<Record<keyof typeof CREDENTIALS, string>>;

export interface CredentialsPage {
  readonly title: string;
  readonly lead: string;
  readonly credentials: Credentials;
  /** The address of the server. */
  readonly baseUrl: string;
}

/** Returns the page that shows credentials once, with a file of them. */
export function credentialsPage(
  visit: Visit,
  app: OwnApp,
  { title, lead, credentials, baseUrl }: CredentialsPage,
): Answer {
  return visit.show(
    { title },
    html`<h1>${title}</h1>
      <p class="lead">${lead}</p>
      <div class="card">
        ${note('good', 'Copy this now. It is shown only once.')} ${credentialList(credentials)}
        <p class="hint">
          The file has them as variables: <code>set -a; . ./pipit.env; set +a</code>, or
          <code>node --env-file=pipit.env</code>. Keep it out of version control.
        </p>
        <div class="actions">
          <a class="button" download="pipit.env" href="${fileLink(credentials, baseUrl)}"
            >Download pipit.env</a
          >
          <a class="button plain" href="${appPath(app, 'keys')}">I have copied them</a>
        </div>
      </div>`,
  );
}

function known(credentials: Credentials): (readonly [label: string, variable: string, value: string])[] {
  return Object.entries(CREDENTIALS).flatMap(([name, [label, variable]]) => {
    const value = credentials[name as keyof typeof CREDENTIALS];
    return value === undefined ? [] : [[label, variable, value] as const];
  });
}

/** Returns credentials by label, each of which can be copied. */
export function credentialList(credentials: Credentials): Html {
  const shown = known(credentials).map(([label, , value]) => [label, copiedCode(value, label)] as const);
  return factList(Object.fromEntries(shown), 'secrets');
}

/** Returns a link that is itself the file: the secrets do not travel once more. */
function fileLink(credentials: Credentials, baseUrl: string): string {
  const lines = [
    ['BASE_URL', baseUrl],
    ...known(credentials).map(([, variable, value]) => [variable, value]),
  ];
  const text = lines.map(([variable, value]) => `${variable}=${value}\n`).join('');
  return `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`;
}
