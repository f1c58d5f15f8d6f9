import { html } from '../api/reference/html.js';
import type { PlainRequest, PlainRoute } from '../http/plain-route.js';
import { assetRoutes } from '../web/assets.js';
import { eventStream, type Inspector, listPage, requestPage } from '../web/inspector/inspector.js';
import type { LiveEvents } from '../web/inspector/live-events.js';
import { liveScript } from '../web/inspector/live-script.js';
import { page } from '../web/page.js';
import { problemPage } from '../web/problem-page.js';
import { INSPECTOR_PATH } from './operation.js';
import type { Sandbox } from './sandbox.js';

/** Creates the pages of a sandbox's inspector (docs/inspector.md#sandboxes). */
export function inspectorRoutes({ journal, publicUrl }: Sandbox, live: LiveEvents): PlainRoute[] {
  const show: Inspector['show'] = (options, body) => page({ ...options, url: INSPECTOR_PATH }, body);
  const inspector: Inspector = { journal, live, publicUrl, path: INSPECTOR_PATH, show };
  const route = (path: string, handler: PlainRoute['handler']): PlainRoute => ({
    method: 'GET',
    path: INSPECTOR_PATH + path,
    showProblem: problemPage,
    handler,
  });
  const queryOf = ({ rawQuery }: PlainRequest) => new URLSearchParams(rawQuery);
  return [
    ...assetRoutes(),
    route('', (request) => listPage(inspector, queryOf(request), HEADING)),
    route('/events', (request) => eventStream(inspector, queryOf(request))),
    route('/live.js', liveScript),
    route('/{entry}', ({ path }) => requestPage(inspector, path['entry'] ?? '')),
  ];
}

const HEADING = html`<h1>Requests</h1>
  <p class="lead">The requests to this sandbox, the newest first.</p>`;
