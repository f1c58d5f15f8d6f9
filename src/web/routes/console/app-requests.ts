import { html, type Html } from '../../../api/reference/html.js';
import { PipitError } from '../../../core/errors.js';
import { requireOwnApp, type OwnApp } from '../../../services/apps/own-apps.js';
import type { Answer } from '../../../http/answer.js';
import { doneAt, doneNote } from '../../forms.js';
import { eventStream, type Inspector, listPage, requestPage } from '../../inspector/inspector.js';
import { liveScript } from '../../inspector/live-script.js';
import { CONSOLE_PATH } from '../../navigation.js';
import { momentText } from '../../times.js';
import type { SignedInVisit } from '../../visit.js';
import type { CreateRoutes, WebContext } from '../../web-context.js';
import { appIdOf, appPage, appPath } from './app-section.js';

const DONE = {
  started: 'The requests of the app are recorded for an hour.',
  stopped: 'The recording has ended, and its requests are dropped.',
} as const;

/** The inspector of one of the user's own apps (docs/inspector.md#apps). */
export const appRequestRoutes: CreateRoutes = (pages, context) => {
  const { accounts, recordings } = context;
  const path = `${CONSOLE_PATH}/{id}/requests`;
  const ownApp = (visit: SignedInVisit) => requireOwnApp(accounts, visit.viewer.user.id, appIdOf(visit));
  const inspected = async (visit: SignedInVisit) => requireInspector(context, visit, await ownApp(visit));
  return [
    pages.showToUser(path, async (visit) => requestsPage(context, visit, await ownApp(visit))),
    pages.showToUser(`${path}/events`, async (visit) => eventStream(await inspected(visit), visit.query)),
    pages.showToUser(`${path}/live.js`, liveScript),
    pages.showToUser(`${path}/{entry}`, async (visit) =>
      requestPage(await inspected(visit), visit.request.path['entry'] ?? ''),
    ),
    pages.acceptFromUser(`${path}/start`, async (visit) => {
      const app = await ownApp(visit);
      recordings.start({ id: String(app.id), apiKey: app.apiKey, clientId: app.clientId });
      return visit.goTo(doneAt(appPath(app, 'requests'), 'started'));
    }),
    pages.acceptFromUser(`${path}/stop`, async (visit) => {
      const app = await ownApp(visit);
      recordings.stop(String(app.id));
      return visit.goTo(doneAt(appPath(app, 'requests'), 'stopped'));
    }),
  ];
};

/** Returns the inspector of an app. Throws `route-not-found` if the app is not recorded. */
function requireInspector(context: WebContext, visit: SignedInVisit, app: OwnApp): Inspector {
  const inspector = inspectorOf(context, app, (options, body) => visit.show(options, body));
  if (inspector === undefined) throw new PipitError({ code: 'route-not-found' });
  return inspector;
}

function inspectorOf(
  { recordings, recordingEvents: live, publicUrl }: WebContext,
  app: OwnApp,
  show: Inspector['show'],
): Inspector | undefined {
  const recording = recordings.of(String(app.id));
  if (recording === undefined) return undefined;
  const { journal } = recording;
  return { journal, live, publicUrl, path: appPath(app, 'requests'), show };
}

function requestsPage(context: WebContext, visit: SignedInVisit, app: OwnApp): Answer {
  const inspector = inspectorOf(context, app, ({ script }, body) =>
    appPage(visit, app, { tab: 'requests', script }, body),
  );
  const above = html`${doneNote(visit, DONE)} ${recordingCard(context, visit, app)}`;
  if (inspector) return listPage(inspector, visit.query, above);
  return appPage(visit, app, { tab: 'requests' }, above);
}

function recordingCard({ recordings }: WebContext, visit: SignedInVisit, app: OwnApp): Html {
  const recording = recordings.of(String(app.id));
  const [action, label] = recording
    ? (['stop', 'Stop and drop them'] as const)
    : (['start', 'Record for an hour'] as const);
  return html`<form class="card full" method="post" action="${appPath(app, 'requests')}/${action}">
    ${visit.csrfField()} ${recording ? html`<p>Recorded until ${momentText(recording.endsAtMs)}.</p>` : ABOUT}
    <p><button class="${recording && 'plain'}">${label}</button></p>
  </form>`;
}

const ABOUT = html`<p>
    See each request of the app as it comes in, with its answer, and why the server refused it: also requests
    that were refused and name the app’s API key or client ID.
  </p>
  <p class="hint">
    The newest 500 are kept in memory for the hour. Secrets are hidden. The recording may hold private texts
    of the app’s users.
  </p>`;
