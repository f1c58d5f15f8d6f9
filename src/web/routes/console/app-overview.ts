import { html, type Html } from '../../../api/reference/html.js';
import { requireOwnApp, type OwnApp } from '../../../services/apps/own-apps.js';
import type { UsageReport } from '../../../services/usage/usage.js';
import { ENDPOINTS_PATH, GUIDE_PATHS } from '../../docs/docs-page.js';
import { copiedCode, factList } from '../../lists.js';
import { CONSOLE_PATH } from '../../navigation.js';
import { numberText } from '../../plot.js';
import { LEVEL_WORDS, PERMISSION_WORDS, TRACK_WORDS } from '../../scope-words.js';
import { dayText } from '../../times.js';
import type { CreateRoutes } from '../../web-context.js';
import { appIdOf, appPage, appPath } from './app-section.js';
import { PLOTTED_DAYS } from './app-usage.js';

/** The first page of an app: what it is, and what to do first. */
export const appOverviewRoutes: CreateRoutes = (pages, { accounts, usage }) => [
  pages.showToUser(`${CONSOLE_PATH}/{id}`, async (visit) => {
    const app = await requireOwnApp(accounts, visit.viewer.user.id, appIdOf(visit));
    const report = await usage.report(app, PLOTTED_DAYS);
    const requests = report.days.reduce((sum, day) => sum + day.requests, 0);
    return appPage(
      visit,
      app,
      { tab: 'overview' },
      html`${requests === 0 && firstSteps(app)} ${factsCard(app)}
      ${requests > 0 && usageSummary(app, report, requests)}`,
    );
  }),
];

function firstSteps(app: OwnApp): Html {
  return html`<div class="card">
    <h2>First steps</h2>
    <p>The app has sent no requests yet.</p>
    <ol class="points">
      <li>
        Put its keys where your program runs. They were shown when the app was made;
        <a href="${appPath(app, 'keys')}">Keys and tokens</a>
        gives new ones, and a token of your own.
      </li>
      <li>
        Send a request: <a href="${GUIDE_PATHS.firstSteps}">First steps</a> has it in curl, JavaScript and
        Python, and <a href="${ENDPOINTS_PATH}">each endpoint</a> has an example.
      </li>
      <li>
        Look at what arrives, and why something is refused:
        <a href="${appPath(app, 'requests')}">Requests</a>.
      </li>
    </ol>
  </div>`;
}

function factsCard(app: OwnApp): Html {
  const { redirectUris } = app;
  return html`<div class="card">
    <h2>About</h2>
    ${app.description !== '' && html`<p><bdi>${app.description}</bdi></p>`}
    ${factList({
      'App ID': copiedCode(String(app.id), 'App ID'),
      'API key': copiedCode(app.apiKey, 'API key'),
      'Client ID': copiedCode(app.clientId, 'Client ID'),
      Permissions: PERMISSION_WORDS[app.permissions],
      Type: app.confidential ? 'Confidential client' : 'Public client',
      'Redirect URIs':
        redirectUris.length === 0 ? 'None: people cannot sign in with the app yet.' : redirectUris.join(', '),
      'Access level': LEVEL_WORDS[app.accessLevel],
      Track: TRACK_WORDS[app.track],
      Created: dayText(app.createdAtMs),
    })}
    <p class="hint">Operators of this server set the access level and the track.</p>
  </div>`;
}

function usageSummary(app: OwnApp, { used, cap }: UsageReport, requests: number): Html {
  return html`<div class="card">
    <h2>Usage</h2>
    <p>
      ${numberText(requests)} requests in ${PLOTTED_DAYS} days, ${numberText(used)} of ${numberText(cap)}
      posts of this period.
      <a href="${appPath(app, 'usage')}">By day</a>
    </p>
  </div>`;
}
